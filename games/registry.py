"""The registry of rulesets: every version of every game's rules, with its engine.

A game goes on for ever under the version that it began with, so several versions may be installed
side by side. New games begin under the newest, or under the one that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from games.compiled_engines import PROJECT_ROOT, imported_sources, module_path
from games.engines import duality, duel_edged_sword, duel_of_law, law, law_of_the_dice
from games.engines.base import Engine

PACKAGE: Final = "tabularium-games"  # the distribution that brings the games below
LIST_SUFFIXES: Final = (".txt", ".bin")  # of the lists of words that a ruleset reads


class Ruleset(NamedTuple):
    """One version of a game's rules."""

    slug: str
    version: int

    def __str__(self) -> str:
        return f"{self.slug} rules version {self.version}"


def ruleset_of(engine: Engine[Any, Any]) -> Ruleset:
    """The ruleset of an engine."""
    return Ruleset(engine.about.slug, engine.about.version)


RULESETS: Final[dict[Ruleset, Engine[Any, Any]]] = {
    ruleset_of(engine): engine
    for engines in (
        law_of_the_dice.ENGINES,
        duel_edged_sword.ENGINES,
        duality.ENGINES,
        law.ENGINES,
        duel_of_law.ENGINES,
    )
    for engine in engines
}
# the newest version of each
ENGINES: Final[dict[str, Engine[Any, Any]]] = {
    slug: RULESETS[max(ruleset for ruleset in RULESETS if ruleset.slug == slug)]
    for slug, _ in RULESETS
}


class RulesetNotInstalled(ValueError):
    """The ruleset of a game is not installed here."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(f"{ruleset} are not installed")
        self.ruleset = ruleset


def find_engine(slug: str, version: int) -> Engine[Any, Any]:
    """The engine of that version of a game's rules; raises RulesetNotInstalled."""
    ruleset = Ruleset(slug, version)
    engine = RULESETS.get(ruleset)
    if engine is None:
        raise RulesetNotInstalled(ruleset)
    return engine


def installed_versions(slug: str) -> tuple[int, ...]:
    """The installed versions of a game's rules, ascending."""
    return tuple(sorted(version for other, version in RULESETS if other == slug))


@cache
def ruleset_digest(slug: str, version: int) -> str:
    """The digest of the source of one version of a game's rules, and of all that it imports."""
    return sources_digest([engine_module(slug, version)])


def engine_module(slug: str, version: int) -> str:
    """The module that defines the engine of a ruleset."""
    return type(find_engine(slug, version)).__module__


def sources_digest(modules: Iterable[str], root: Path = PROJECT_ROOT) -> str:
    """The digest of these modules and of the modules that they import, directly or indirectly: of
    their paths and their contents, and of the word lists in their folders."""
    sources = imported_sources(map(module_path, modules), root)
    folders = {root / Path(path).parent for path in sources}
    lists = (
        path for folder in folders for path in folder.iterdir() if path.suffix in LIST_SUFFIXES
    )
    sources |= {path.relative_to(root).as_posix(): path.read_bytes() for path in lists}
    content = sha256()
    for path, source in sorted(sources.items()):
        content.update(path.encode() + b"\0" + sha256(source).digest())
    return content.hexdigest()
