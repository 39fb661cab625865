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

from games.engines import duality, duel_edged_sword, duel_of_law, law, law_of_the_dice
from games.engines.base import Engine

PACKAGE: Final = "tabularium-games"  # the distribution that brings the games below


class Ruleset(NamedTuple):
    """One version of a game's rules."""

    slug: str
    version: int

    def __str__(self) -> str:
        return f"{self.slug} rules version {self.version}"


RULESETS: Final[dict[Ruleset, Engine[Any, Any]]] = {
    Ruleset(engine.about.slug, engine.about.version): engine
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
ENGINES_FOLDER: Final = Path(__file__).resolve().parent / "engines"
# the files that decide a game: code, and lists of words
RULESET_FILE_SUFFIXES: Final = (
    ".py",
    ".txt",
    ".bin",
)


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
def ruleset_digest(slug: str) -> str:
    """The digest of a ruleset's source, and of the shared code that it is built on."""
    shared_paths = sorted([*ENGINES_FOLDER.glob("*.py"), *(ENGINES_FOLDER / "common").glob("*.py")])
    ruleset_paths = sorted(
        path for path in (ENGINES_FOLDER / slug).rglob("*") if path.suffix in RULESET_FILE_SUFFIXES
    )
    return files_digest(ENGINES_FOLDER, [*shared_paths, *ruleset_paths])


def files_digest(folder: Path, paths: Iterable[Path]) -> str:
    """The digest of some files: of their paths within a folder, and of their contents."""
    content = sha256()
    for path in paths:
        content.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return content.hexdigest()
