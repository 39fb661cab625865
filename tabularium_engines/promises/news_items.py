"""Promise 16: every item of news has the format that the game declares for its kind."""

from __future__ import annotations

from typing import Any

from tabularium_engines.base import AnyEngine
from tabularium_engines.common.foresight import consequences_from_view
from tabularium_engines.common.json_codec import MalformedDocument
from tabularium_engines.common.news_formats import check_item
from tabularium_engines.promises.foretold_consequences import sampled_actions
from tabularium_engines.promises.random_games import Position, all_viewers, play


def promise_16(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """Every item of news, foretold ones included, has the format of its kind for each viewer."""
    game = play(engine, options, seats, seed)
    for position in game.positions:
        checked: list[Any] = []  # most viewers are told the same
        for viewer in all_viewers(position.state):
            items = [item for item in engine.news(position.state, viewer) if item not in checked]
            check_items(engine, items, f"{position}, viewer {viewer}")
            checked += items
    for position in game.sample(sample):
        for seat in range(seats):
            check_foretold(engine, position, seat)


def check_foretold(engine: AnyEngine, position: Position, seat: int) -> None:
    """Each item that the seat's actions foretell has its format."""
    legal_actions = sampled_actions(position.state.legal_actions(seat), position.seq)
    view = engine.view(position.state, seat)
    for told in consequences_from_view(engine, view, seat, legal_actions) if legal_actions else []:
        check_items(engine, [] if told is None else told.news, f"{position}, foretold to {seat}")


def check_items(engine: AnyEngine, items: Any, context: str) -> None:
    """Each of these items has its format."""
    for item in items:
        try:
            check_item(engine.about, item)
        except MalformedDocument as malformed:
            raise AssertionError(f"{context}: {item}: {malformed}") from malformed
