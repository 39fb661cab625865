"""Our own contestants: appending to a log, and loading a log into its projection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from time import perf_counter
from typing import Final

from bench.log import sample_games
from bench.log.worker import Round, repeat_for
from games import position_cache, services
from games.log_store import read_entries
from games.models import Entry
from tabularium_engines.common.random_generators import FastRng
from tabularium_log.fairness.encryption import game_cipher
from tabularium_log.projection.entry import Entry as Line
from tabularium_log.projection.entry import decrypt_entry, entry_content
from tabularium_log.projection.fold import create_projection
from tabularium_log.projection.log_replay import replay_contents

APPEND_WINDOW: Final = 100  # entries appended before the log counts as longer


def append_round(length: int) -> Round:
    """`append_action`, with its receipt, to logs of that length; the unit is an entry."""

    def run(seconds: float) -> tuple[float, ...]:
        units, elapsed = 0, 0.0
        while units == 0 or elapsed < seconds:
            units += APPEND_WINDOW
            elapsed += time_appends(length)
        return units, elapsed

    return run


def time_appends(length: int) -> float:
    """The seconds of a window of appends, without the time of choosing the actions."""
    game, rng, elapsed = (
        sample_games.store_game(sample_games.write_dealt_game(length)),
        FastRng(1),
        0.0,
    )
    table = position_cache.current_position(game).projection
    for _ in range(APPEND_WINDOW):
        seat, action = sample_games.pick_action(table, rng)
        choice = table.choice_token(seat)
        start = perf_counter()
        append_result = services.append_action(game, seat, action, choice=choice)
        assert append_result.receipt.seq > table.seq
        elapsed += perf_counter() - start
        table = append_result.projection
    return elapsed


def create_round() -> Round:
    """Django's plain `create()` of rows like an entry's, in logs whose heads do not move; the unit
    is a row."""
    game = sample_games.store_game(sample_games.write_dealt_game(APPEND_WINDOW))
    values = Entry.objects.filter(game=game).values().latest("seq")

    def create() -> float:
        values["seq"] += 1
        Entry.objects.create(**values)
        return 1

    return repeat_for(create)


@cache
def long_game(length: int) -> str:
    """A stored game of that length."""
    return sample_games.store_game(sample_games.write_long_game(length))


def load_round(length: int) -> Round:
    """A game loaded from the database with an empty cache; the unit is an entry."""
    game = long_game(length)

    def load() -> float:
        position_cache.cache.clear()
        return position_cache.current_position(game).projection.seq

    return repeat_for(load)


def fold_round(length: int) -> Round:
    """The same from entries already in memory."""
    game = long_game(length)
    first, *later_entries = complete_entries(game)
    contents = list(map(entry_content, later_entries))

    def fold() -> float:
        return replay_contents(create_projection(game, first), contents).seq

    return repeat_for(fold)


def complete_entries(game: str) -> Sequence[Line]:
    """The complete entries of a game."""
    position = position_cache.current_position(game)
    cipher = game_cipher(position.secret, game)
    rows = read_entries(game, 0, position.projection.seq)
    return [decrypt_entry(cipher, row) for row in rows]


ROUNDS: Final[dict[str, Callable[[], Round]]] = {
    **{f"append_{length}": partial(append_round, length) for length in (10, 100, 5000)},
    "create": create_round,
    **{f"load_{length}": partial(load_round, length) for length in (1000, 5000)},
    "fold_1000": partial(fold_round, 1000),
}
