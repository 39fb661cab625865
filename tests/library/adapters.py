"""The libraries that the adapters are for, and the engines that the tests of adapters play."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any, Final

from tabularium_engines.base import AnyEngine
from tabularium_engines.installed.registry import RULESETS
from tests.examples.small_games import load_engine
from tests.support.missing_requirements import require_library

ALL_ENGINES: Final = [*RULESETS.values(), load_engine("kuhn_poker")]


def slug_of(engine: AnyEngine) -> str:
    """The name of an engine's game, for the names of tests."""
    return engine.about.slug


def imported(module: str, library: str) -> Any:
    """A module that needs the library of an adapter. Without it the tests of the file are skipped;
    in continuous integration, which installs it, they fail."""
    require_library(library)
    with warnings.catch_warnings():
        # PettingZoo's own checks import a game of PettingZoo in a way that it calls outdated
        warnings.simplefilter("ignore", DeprecationWarning)
        return import_module(module)
