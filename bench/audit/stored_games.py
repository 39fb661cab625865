"""Stored games to verify: random games of bots, as many as make up a number of entries."""

from __future__ import annotations

from itertools import count
from typing import Final

from django.utils import timezone

from bench.log.sample_games import write_new_game
from games.services.game_creation import game_insert
from tabularium_engines.base import AnyEngine
from tabularium_engines.common.random_generators import FastRng
from tabularium_log.projection import table_actions
from tabularium_log.projection.entry_writer import EntryWriter

BOT: Final = "random"


def store_games(engine: AnyEngine, entries: int, first: int) -> list[str]:
    """Stored games of that many entries together, or a few more; their numbers go on from the
    first one."""
    numbers = count(first)
    games, left = list[str](), entries
    while left > 0:
        scribe = write_game(engine, next(numbers))
        left -= scribe.projection.seq
        table = scribe.projection
        accounts = [None] * table.creation.seats
        games.append(game_insert(table, scribe.rows, scribe.secret, accounts=accounts).pk)
    return games


def write_game(engine: AnyEngine, number: int) -> EntryWriter:
    """A whole game; the number decides how many seats it has, and what they do."""
    fewest, most = engine.about.seats
    seats = fewest + number % (min(most, 4) - fewest + 1)
    options, rng = engine.read_options({}, seats), FastRng(number)
    scribe = write_new_game(engine, seats, options)
    for seat in range(seats):
        scribe.write(seat, table_actions.Join(BOT), timezone.now())
    scribe.start_if_complete(timezone.now())
    while scribe.projection.awaited_seats:
        state = scribe.projection.state
        assert state is not None
        seat = engine.awaited_seats(state)[0]
        code = state.random_action(seat, rng)
        action = engine.action_codec.to_json(engine.decode(state, seat, code))
        scribe.write(seat, action, timezone.now())
    scribe.end_if_due(timezone.now())
    return scribe
