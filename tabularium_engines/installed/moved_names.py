"""The old names of the rules, for packages that import `games.engines`: until the next release its
modules are found, with a warning of the new name."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

from tabularium_engines.builds.compiled_engines import PACKAGE

OLD_PACKAGE: Final = "games.engines"
PREFIX: Final = f"{OLD_PACKAGE}."
RENAMED: Final = {"small_game_kit": "kit"}


def new_name(old: str) -> str:
    """The present name of a module; the same one if it never moved."""
    if not f"{old}.".startswith(PREFIX):
        return old
    child, _, inner = old.removeprefix(OLD_PACKAGE).lstrip(".").partition(".")
    return ".".join(filter(None, (PACKAGE, RENAMED.get(child, child), inner)))


class MovedModules(MetaPathFinder, Loader):
    """Finds the modules by their old names, and gives the present ones."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A spec for an old name; None for any other."""
        return ModuleSpec(name, self) if name.startswith(PREFIX) else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the present module in the place of this one."""
        new = new_name(module.__name__)
        message = f"{module.__name__} is {new} now; the old name goes with the next release."
        warnings.warn(message, FutureWarning, stacklevel=2)
        sys.modules[module.__name__] = import_module(new)


def install_finder() -> None:
    """Find the old names from now on; asked once, by the package of that name."""
    sys.meta_path.insert(0, MovedModules())
