"""The rulings in which the versions of the rules differ."""

from __future__ import annotations

from typing import Final


class Rulings:
    """The rulings of one version. Never changed: all its states share them."""

    def __init__(self, is_second: bool) -> None:
        # Bills that no cards can make are impossible, not only banned ones  # R17
        self.counts_cards: bool = is_second
        self.asks_beyond_sight: bool = is_second  # A♥ asks for no card in sight  # R47
        # 10♣ counts a hand when the piles have been filled, not before  # R39
        self.counts_excess_late: bool = is_second
        self.binds_to_one_player: bool = is_second  # K♥ binds all its Laws to one player  # R58
        # to see the top of the draw pile takes no knowledge of it from others  # R60
        self.keeps_pile_known: bool = is_second


FIRST_RULINGS: Final = Rulings(False)
SECOND_RULINGS: Final = Rulings(True)
