"""Our own contestants: the one door into a log, and the way from a log to its table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from time import perf_counter
from typing import Final

from bench.log import tables
from bench.log.worker import Round, repeated
from games import positions, services
from games.engines.common.rng import FastRng
from games.fairness.secret import box_key
from games.fairness.vault import Box
from games.models import Entry
from games.table.entry import Entry as Line
from games.table.entry import content_of, opened
from games.table.fold import created
from games.table.run import replayed

WINDOW: Final = 100  # entries appended to a log before it would be another length


def appends(length: int) -> Round:
    """`action_append`, and its receipt, to logs of that length; the unit is an entry."""

    def run(seconds: float) -> tuple[float, ...]:
        done, elapsed = 0, 0.0
        while done == 0 or elapsed < seconds:
            done += WINDOW
            elapsed += appending(length)
        return done, elapsed

    return run


def appending(length: int) -> float:
    """The seconds that a window of appends takes; to choose the actions is the players' affair."""
    game, rng, elapsed = tables.keep(tables.begun(length)), FastRng(1), 0.0
    table = positions.current(game).table
    for _ in range(WINDOW):
        seat, action = tables.decision(table, rng)
        choice = table.token(seat)
        start = perf_counter()
        appended = services.action_append(game, seat, action, choice=choice)
        assert appended.receipt.seq > table.seq
        elapsed += perf_counter() - start
        table = appended.table
    return elapsed


def creates() -> Round:
    """Django's plain `create()` of rows like an entry's, in logs whose heads stay behind; the unit
    is a row."""
    game = tables.keep(tables.begun(WINDOW))
    last = Entry.objects.filter(game=game).latest("seq")

    def create() -> float:
        last.seq += 1
        Entry.objects.create(
            game_id=game, seq=last.seq, text=last.text, hash=last.hash, box=last.box
        )
        return 1

    return repeated(create)


@cache
def long_game(length: int) -> str:
    """A stored game of that length."""
    return tables.keep(tables.played(length))


def loads(length: int) -> Round:
    """A game from the database, with nothing remembered; the unit is an entry."""
    game = long_game(length)

    def load() -> float:
        positions.memory.clear()
        return positions.current(game).table.seq

    return repeated(load)


def folds(length: int) -> Round:
    """The same from entries that are in memory already."""
    game = long_game(length)
    first, *others = entries(game)
    contents = list(map(content_of, others))

    def fold() -> float:
        return replayed(created(game, first), contents).seq

    return repeated(fold)


def entries(game: str) -> Sequence[Line]:
    """The complete entries of a game."""
    box = Box(box_key(positions.current(game).secret, game))
    rows = Entry.objects.filter(game=game).order_by("seq")
    return [opened(box, row.seq, bytes(row.box)) for row in rows]


ROUNDS: Final[dict[str, Callable[[], Round]]] = {
    **{f"append_{length}": partial(appends, length) for length in (10, 100, 5000)},
    "create": creates,
    **{f"load_{length}": partial(loads, length) for length in (1000, 5000)},
    "fold_1000": partial(folds, 1000),
}
