"""The positions in which all contestants search: several of each game, so that no single one
decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class MeasuredGame(NamedTuple):
    """A game that is measured, in its default variant."""

    seats: int
    decisions: tuple[int, ...]
    target: float
    card_game: str  # the most similar game that OpenSpiel can search
    framework_game: str  # the most similar game in TAG, by length and kind of actions
    framework_rate: float  # simulations/s of TAG's MCTS in it, one tree, full rollouts


# Connect Four: the columns dropped so far, from random games.
CONNECT_FOUR_OPENINGS: Final = ("", "33", "2430", "162335", "30254116", "5062311432")
CONNECT_FOUR_SIMULATIONS: Final = 1000  # per search
DUEL_SIMULATIONS: Final = (400, 1600)  # per decision
# Card games take longer, and the interpreted search would take all day.
CARD_SIMULATIONS: Final = 300
# Our games: the seats, the random decisions before the searches begin (each in another deal), the
# target speedup by compiling, and similar games of others. TAG publishes no rates per game: these
# were measured with its commit c4d7687c in Java 17, on a machine where OpenSpiel searched
# Connect Four at the reference rate: it scales these rates to other machines.
OPENSPIEL_REFERENCE_RATE: Final = 134_000
MEASURED_GAMES: Final[Mapping[str, MeasuredGame]] = {
    "law_of_the_dice": MeasuredGame(3, (0, 6, 12, 18, 24, 30), 15, "euchre", "Hearts", 5_140),
    "duel_edged_sword": MeasuredGame(4, (0, 8, 16, 24, 32, 40), 8, "oh_hell", "Virus", 2_520),
    "duality": MeasuredGame(2, (0, 8, 16, 24, 32, 40), 8, "gin_rummy", "Dominion", 2_090),
    "law": MeasuredGame(3, (0, 8, 16, 24, 32, 40), 15, "gin_rummy", "Dominion", 2_090),
    "duel_of_law": MeasuredGame(2, (0, 8, 16, 24, 32, 40), 8, "gin_rummy", "Catan", 190),
}
OPENSPIEL_CARDS_PLAYED: Final = (0, 1, 2, 3, 0, 1)  # in OpenSpiel's card games
