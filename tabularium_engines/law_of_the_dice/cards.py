"""The cards of Law of the Dice: the French deck as seven powers and six dice, and their texts."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.playing_cards import RANK_COUNT

# The die of each rank, two to ace; 0: a power instead.
DIE_BY_RANK: Final[vec[i64]] = vec[i64]([0, 0, 0, 0, 0, 0, 0, 20, 12, 10, 8, 6, 4])

POWER_TEXTS: Final = (
    "draw two cards",
    "raise or lower one of your numbers by 1",
    "steal a random card from another player",
    "swap two of your numbers",
    "make another player discard a card",
    "take the top discard",
    "swap a card with another player",
    "roll the d20",
    "roll the d12",
    "roll the d10",
    "roll the d8",
    "roll the d6",
    "roll the d4",
)


def die_of(card: i64) -> i64:
    """The number of sides of the card's die; 0 for a card with a power."""
    return DIE_BY_RANK[card % RANK_COUNT]
