"""Worlds that a viewer cannot distinguish: the position of a game, with other hidden cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from games import position_cache
from games.engines.common.random_generators import FastRng
from games.promises.random_games import viewer_seat

WORLDS: Final = 3


def worlds_alike(game: str, viewer: int | None) -> Iterator[int]:
    """Put the game into one world after another: the number of each."""
    position = position_cache.current_position(game)
    state: Any = position.projection.state
    for seed in range(WORLDS):
        imagined = state.clone()
        imagined.determinize(viewer_seat(viewer), FastRng(seed))
        imagined.record_news()
        projection = replace(position.projection, state=imagined)
        position_cache.cache.store(position._replace(projection=projection))
        yield seed
