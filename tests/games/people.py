"""Random games among people, who propose, fall silent, come back and leave: all that may happen at
a table by consent or neglect."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.random_generators import FastRng
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.projection import GameRefusal, Projection
from tabularium_log.projection.table_actions import (
    Abort,
    Accept,
    Claim,
    Clock,
    Decline,
    Expire,
    Hint,
    Propose,
    Replace,
    Resign,
    Resume,
)
from tests.games.sitting import dealt_writer, later, some_action

DAY: Final = 24 * 3600.0
CLOCK: Final = Clock(30 * 24 * 3600 * 1000, "resign")  # longer than a pause
MOST_STEPS: Final = 400

Attempt = tuple[int | None, Any]


def people_game(slug: str, seats: int, seed: int, *, most: int = MOST_STEPS) -> EntryWriter:
    """A game of so many random steps, or to its end; refused attempts are skipped."""
    clock = CLOCK if seed % 2 else None
    scribe = dealt_writer(seats, slug, clock=clock, hints=seed % 3 == 0)
    play_among_people(scribe, seed, most)
    return scribe


def play_among_people(scribe: EntryWriter, seed: int, most: int = MOST_STEPS) -> None:
    """Let people play on, after noon, for so many random steps or to the end."""
    chance, clock = Random(seed), 0.0
    for _ in range(most):
        if scribe.projection.phase != "playing":
            break
        clock += chance.random()
        if chance.random() < 0.02:
            clock += chance.choice((8.0, 91.0)) * DAY
        step = chance.choices(list(STEPS), list(STEPS.values()))[0]
        if attempt := step(scribe.projection, chance):
            write_if_allowed(scribe, *attempt, clock)
            scribe.finish(later(clock))


def write_if_allowed(scribe: EntryWriter, seat: int | None, action: Any, seconds: float) -> None:
    """Write the entry, unless it is refused."""
    try:
        scribe.write(seat, action, later(seconds))
    except (GameRefusal, IllegalAction):
        return


def _act(table: Projection, chance: Random) -> Attempt:
    return some_action(table, FastRng(chance.randrange(10**6)))


def _propose(table: Projection, chance: Random) -> Attempt:
    points = table.takeback_points
    if points and chance.random() < 0.8:
        return points[-1].seat, Propose("takeback", chance.choice(points).seq)
    of: Any = chance.choice(("draw", "end", "takeback", "pause", "pause"))
    to = chance.randrange(1, table.seq + 1) if of == "takeback" else None
    return _any_seat(table, chance), Propose(of, to)


def _accept(table: Projection, chance: Random) -> Attempt | None:
    return (_any_seat(table, chance), Accept(table.proposal.seq)) if table.proposal else None


def _decline(table: Projection, chance: Random) -> Attempt | None:
    return (_any_seat(table, chance), Decline(table.proposal.seq)) if table.proposal else None


def _resume(table: Projection, chance: Random) -> Attempt | None:
    return (chance.choice((None, 0, 1)), Resume()) if table.paused_at else None


def _claim(table: Projection, chance: Random) -> Attempt:
    then: Any = chance.choice(("bot", "resign"))
    return _any_seat(table, chance), Claim(_any_seat(table, chance), then)


def _any_seat(table: Projection, chance: Random) -> int:
    return chance.randrange(table.creation.seats)


STEPS: Final[dict[Callable[[Projection, Random], Attempt | None], float]] = {
    _act: 8,
    _propose: 3,
    _accept: 8,
    _decline: 1,
    _resume: 2,
    _claim: 2,
    lambda table, chance: (_any_seat(table, chance), Hint()): 0.3,
    lambda table, chance: (_any_seat(table, chance), Abort()): 0.2,
    lambda table, chance: (None, Expire()): 0.5,
    lambda table, chance: (_any_seat(table, chance), Resign()): 0.02,
    lambda table, chance: (_any_seat(table, chance), Replace("greedy")): 0.1,
}
