"""Where all contestants search: several positions of a game, so that no single one decides."""

from __future__ import annotations

from typing import Final

# Connect Four: the columns dropped so far, out of random games.
OPENINGS: Final = ("", "33", "2430", "162335", "30254116", "5062311432")
SIMULATIONS: Final = 1000  # a search, of Connect Four
# A card game takes longer, and the interpreted search would take all day.
CARD_SIMULATIONS: Final = 300
LAW_SEATS: Final = 3
LAW_DECISIONS: Final = (0, 6, 12, 18, 24, 30)  # of a random game, before the search
SWORD_DECISIONS: Final = (0, 8, 16, 24, 32, 40)  # likewise
EUCHRE_CARDS: Final = (0, 1, 2, 3, 0, 1)  # on the table, in the first trick
