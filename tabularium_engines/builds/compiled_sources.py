"""Which modules of packages run compiled: only those whose build belongs to their source.

A compiled module lies beside its source, and a file beside both holds the digest of the source that
was compiled. The source runs if it was edited since, or if TABULARIUM_ENGINES demands it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

from tabularium_engines.builds.compiled_engines import MODE_VARIABLE


def source_digest(path: Path) -> str:
    """The digest of a source."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digest_file(path: Path) -> Path:
    """The file beside a compiled module with the digest of its source."""
    return path.with_suffix(".digest")


def has_compiled_module(path: Path) -> bool:
    """Whether a compiled module lies beside the source."""
    return any(path.with_suffix(suffix).is_file() for suffix in EXTENSION_SUFFIXES)


def choose_code(package: str, paths: Mapping[str, Path]) -> None:
    """Let the modules of a package, by name, run from their sources unless all compiled ones are
    up to date and allowed."""
    compiled = [path for path in paths.values() if has_compiled_module(path)]
    is_allowed = os.environ.get(MODE_VARIABLE) != "interpreted"
    stale = [path for path in compiled if not _is_current(path)]
    if compiled and (stale or not is_allowed):
        sys.meta_path.insert(0, SourceFinder(paths))
    if stale and is_allowed:
        logging.getLogger(__name__).warning(
            "The package %s runs interpreted: %s was not compiled from the source beside it.",
            package,
            stale[0].stem,
        )


def _is_current(path: Path) -> bool:
    """Whether the compiled module beside the source was built from it."""
    file = digest_file(path)
    return file.is_file() and file.read_text() == source_digest(path)


class SourceFinder(MetaPathFinder):
    """Finds the sources of some modules, and nothing else."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = dict(paths)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec from which `name` is loaded; None if it is another module."""
        source = self._paths.get(name)
        return None if source is None else spec_from_file_location(name, source)
