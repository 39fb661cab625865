"""The options of a rematch, as the rules derive them from the game before and its winners."""

from __future__ import annotations

from collections.abc import Sequence

from games.selectors.proofs import game_creation, game_outcome
from tabularium_engines.common import json_codec
from tabularium_engines.installed import registry


def rematch_options(game: str, new_seats: Sequence[int]) -> json_codec.Json:
    """The options of the game after this one, which is over: the player of seat 0 sits at
    `new_seats[0]` there, and so on."""
    creation, outcome = game_creation(game), game_outcome(game)
    engine = registry.find_engine(creation.rules, creation.version)
    options = engine.read_options(creation.options, creation.seats)
    winners = () if outcome is None else outcome.winners
    return json_codec.to_json(engine.next_options(options, winners, new_seats))
