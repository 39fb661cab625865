"""The registry of rulesets and their engines: one line per ruleset. Also the digests of their
code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from games.engines import duality, duel_edged_sword, duel_of_law, law, law_of_the_dice
from games.engines.base import Engine

ENGINES: Final[Mapping[str, Engine[Any, Any]]] = {
    engine.about.slug: engine
    for engine in (
        law_of_the_dice.ENGINE,
        duel_edged_sword.ENGINE,
        duality.ENGINE,
        law.ENGINE,
        duel_of_law.ENGINE,
    )
}
ENGINES_FOLDER: Final = Path(__file__).resolve().parent / "engines"
# the files that decide a game: code, and lists of words
RULESET_FILE_SUFFIXES: Final = (
    ".py",
    ".txt",
    ".bin",
)


class UnknownRuleset(ValueError):
    """No ruleset of that name and version is here; a game is played by the one it began with."""

    def __init__(self, slug: str, version: int) -> None:
        super().__init__(f"{slug} rules version {version} are not installed")


def find_engine(slug: str, version: int) -> Engine[Any, Any]:
    """The engine of that version of a ruleset; raises UnknownRuleset."""
    engine = ENGINES.get(slug)
    if engine is None or engine.about.version != version:
        raise UnknownRuleset(slug, version)
    return engine


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
