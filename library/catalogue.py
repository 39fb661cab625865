"""The catalogue of the library: every version of the rules of its games."""

from __future__ import annotations

from importlib import import_module
from typing import Final, NamedTuple

from games.engines import ENGINES_PACKAGE, GAMES
from games.engines.base import AnyEngine


class Ruleset(NamedTuple):
    """One version of a game's rules."""

    slug: str
    version: int


class RulesetNotInstalled(LookupError):
    """The library has no such game, or not in this version."""


def ruleset_of(engine: AnyEngine) -> Ruleset:
    """The ruleset of an engine."""
    return Ruleset(engine.about.slug, engine.about.version)


ENGINES: Final[dict[Ruleset, AnyEngine]] = {
    ruleset_of(engine): engine
    for slug in GAMES
    for engine in import_module(f"{ENGINES_PACKAGE}.{slug}").ENGINES
}


def find_engine(slug: str, version: int | None = None) -> AnyEngine:
    """The engine of a game, by the newest version of its rules or the one given; raises
    RulesetNotInstalled."""
    versions = [known for name, known in ENGINES if name == slug]
    wanted = max(versions, default=0) if version is None else version
    if wanted not in versions:
        known = ", ".join(f"{name} version {number}" for name, number in ENGINES)
        raise RulesetNotInstalled(f"The library has no such rules; it has {known}.")
    return ENGINES[Ruleset(slug, wanted)]
