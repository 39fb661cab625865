"""The registry of rulesets: every version of every game's rules, with its engine.

A game goes on for ever under the version that it began with, so several versions may be installed
side by side. New games begin under the newest, or under the one that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

from tabularium_engines import GAMES
from tabularium_engines.base import AnyEngine
from tabularium_engines.builds.compiled_engines import (
    PACKAGE,
    PROJECT_ROOT,
    imported_sources,
    module_path,
)
from tabularium_engines.installed import plugins, promise_record
from tabularium_engines.installed.plugins import PluginEngine, PluginRefused

OWN_PACKAGE: Final = "tabularium-games"  # the distribution that brings the games of the project
LIST_SUFFIXES: Final = (".txt", ".bin")  # of the lists of words that a ruleset reads


class Ruleset(NamedTuple):
    """One version of a game's rules."""

    slug: str
    version: int

    def __str__(self) -> str:
        return f"{self.slug} rules version {self.version}"


def ruleset_of(engine: AnyEngine) -> Ruleset:
    """The ruleset of an engine."""
    return Ruleset(engine.about.slug, engine.about.version)


def _register() -> dict[Ruleset, PluginEngine]:
    """All installed engines, each with its package; those of this project come first."""
    registered: dict[Ruleset, PluginEngine] = {}
    packages = (import_module(f"{PACKAGE}.{slug}") for slug in GAMES)
    built_in = (
        PluginEngine(engine, OWN_PACKAGE) for package in packages for engine in package.ENGINES
    )
    for plugin in (*built_in, *plugins.load_plugins()):
        ruleset = ruleset_of(plugin.engine)
        if other := registered.get(ruleset):
            raise PluginRefused(
                f"The packages {other.package} and {plugin.package} both bring {ruleset}:"
                " uninstall one of them."
            )
        registered[ruleset] = plugin
    return registered


_REGISTERED: Final = _register()
RULESETS: Final[dict[Ruleset, AnyEngine]] = {
    ruleset: plugin.engine for ruleset, plugin in _REGISTERED.items()
}
# the newest version of each
ENGINES: Final[dict[str, AnyEngine]] = {
    slug: RULESETS[max(ruleset for ruleset in RULESETS if ruleset.slug == slug)]
    for slug, _ in RULESETS
}


class RulesetNotInstalled(ValueError):
    """The ruleset of a game is not installed here."""

    def __init__(self, ruleset: Ruleset, sentence: str = "") -> None:
        super().__init__(sentence or f"{ruleset} are not installed")
        self.ruleset = ruleset


def find_engine(slug: str, version: int | None = None) -> AnyEngine:
    """The engine of that version of a game's rules, or of the newest; raises
    RulesetNotInstalled."""
    engine = ENGINES.get(slug) if version is None else RULESETS.get(Ruleset(slug, version))
    if engine is None:
        sentence = f"no rules of {slug} are installed" if version is None else ""
        raise RulesetNotInstalled(Ruleset(slug, version or 1), sentence)
    return engine


def installed_versions(slug: str) -> tuple[int, ...]:
    """The installed versions of a game's rules, ascending."""
    return tuple(sorted(version for other, version in RULESETS if other == slug))


def project_rulesets() -> list[Ruleset]:
    """The rulesets that this project brings."""
    return [ruleset for ruleset, plugin in _REGISTERED.items() if plugin.package == OWN_PACKAGE]


def package_of_installed(ruleset: Ruleset) -> str:
    """The package that brings an installed ruleset."""
    return _REGISTERED[ruleset].package if ruleset in _REGISTERED else OWN_PACKAGE


@cache
def ruleset_digest(slug: str, version: int) -> str:
    """The digest of the source of one version of a game's rules, and of all that it imports."""
    return sources_digest([engine_module(slug, version)])


def engine_module(slug: str, version: int) -> str:
    """The module that defines the engine of a ruleset."""
    return type(find_engine(slug, version)).__module__


@cache
def is_proven(slug: str, version: int) -> bool:
    """Whether a ruleset is known to keep the promises of the engine contract: those of this project
    are tested with it, and another package records what was checked."""
    if package_of_installed(Ruleset(slug, version)) == OWN_PACKAGE:
        return True
    module, digest = engine_module(slug, version), ruleset_digest(slug, version)
    return promise_record.is_proven(module, str(Ruleset(slug, version)), digest)


def sources_digest(modules: Iterable[str], root: Path = PROJECT_ROOT) -> str:
    """The digest of these modules and of the modules that they import, directly or indirectly: of
    their names and their contents, and of the word lists in their folders."""
    own_paths, sources = list[str](), dict[str, bytes]()
    for module in modules:
        if (root / module_path(module)).is_file():
            own_paths.append(module_path(module))
            continue
        for name, source in plugins.plugin_sources(module).items():
            sources[name] = source.encode()
            own_paths += filter(
                lambda path: (root / path).is_file(),
                map(module_path, plugins.imported_names(source)),
            )
    own_sources = imported_sources(own_paths, root)
    folders = {root / Path(path).parent for path in own_sources}
    lists = (
        path for folder in folders for path in folder.iterdir() if path.suffix in LIST_SUFFIXES
    )
    sources |= own_sources
    sources |= {path.relative_to(root).as_posix(): path.read_bytes() for path in lists}
    content = sha256()
    for path, source_bytes in sorted(sources.items()):
        content.update(path.encode() + b"\0" + sha256(source_bytes).digest())
    return content.hexdigest()
