"""The game engines: pure Python without Django, clocks, I/O or global randomness.

`GAMES` lists the games of the project. Registry, library and heuristics follow from it.
"""

from __future__ import annotations

from typing import Final

ENGINES_PACKAGE: Final = __name__
# the slugs, which are the names of the games' folders, in the order of the catalogue
GAMES: Final = (
    "law_of_the_dice",
    "duel_edged_sword",
    "duality",
    "law",
    "duel_of_law",
)
