"""The tables of a crowd: the ruleset, the bots and the people of each, by a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from ai import levels
from tabularium_engines.installed.registry import ENGINES

SIMULATIONS: Final = 200  # of the bots that search
SHARES: Final = {"random": 3, "greedy": 3, "search": 2, "person": 2}
STREAM, LONG_POLL, NO_FOLLOWER = "stream", "long-poll", "none"
FOLLOWERS: Final = (STREAM, NO_FOLLOWER, LONG_POLL, NO_FOLLOWER)  # of one table after another


class Mix(NamedTuple):
    """Which tables a crowd plays."""

    rules: Sequence[str] = ()  # none: all
    shares: Mapping[str, int] = SHARES  # of the opponents
    followers: Sequence[str] = FOLLOWERS


class Plan(NamedTuple):
    """One table: a person creates it, and a second one may join."""

    number: int
    rules: str
    seats: tuple[str, ...]  # "me", "open" or the name of a bot
    follower: str
    seed: int

    @property
    def people(self) -> int:
        """The number of people."""
        return sum(kind in ("me", "open") for kind in self.seats)

    @property
    def game_request(self) -> dict[str, Any]:
        """The body of the request for the game."""
        kinds = ("me", "open")
        seats = [
            {"kind": kind} if kind in kinds else {"kind": "bot", "bot": kind} for kind in self.seats
        ]
        return {"rules": self.rules, "seats": seats}


def searcher_of(slug: str) -> str | None:
    """The bot of a game that searches with that many simulations, if there is one."""
    bots = ((name, levels.find_level(name, slug)) for name in levels.level_names(slug))
    return next((name for name, level in bots if level and level.simulations == SIMULATIONS), None)


def plan_tables(games: int, seed: int, mix: Mix = Mix()) -> list[Plan]:  # noqa: B008  # immutable
    """So many tables, of each of these rulesets in turn."""
    rng = Random(seed)
    return [_plan_table(number, rng, mix) for number in range(games)]


def _plan_table(number: int, rng: Random, mix: Mix) -> Plan:
    opponent = rng.choices(list(mix.shares), list(mix.shares.values()))[0]
    slugs = mix.rules or sorted(ENGINES)
    if opponent == "search":
        slugs = [slug for slug in slugs if searcher_of(slug)] or slugs
    slug = slugs[number % len(slugs)]
    seat_count = ENGINES[slug].about.seats[0]
    second = {"search": searcher_of(slug) or "greedy", "person": "open"}.get(opponent, opponent)
    filling = "greedy" if second == "open" else second  # where a game needs more than two
    seats = ["me", second, *[filling] * (seat_count - 2)]
    rng.shuffle(seats)
    follower = mix.followers[number % len(mix.followers)]
    return Plan(number, slug, tuple(seats), follower, rng.getrandbits(64))
