"""The rulings in which the versions of the rules differ."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64


class Rulings:
    """The rulings of one version. Never changed: all its states share them."""

    def __init__(self, version: i64) -> None:
        # Bills that no cards can make are impossible, not only banned ones  # R17
        self.counts_cards: bool = version >= 2
        self.asks_beyond_sight: bool = version >= 2  # A♥ asks for no card in sight  # R47
        # 10♣ counts a hand when the piles have been filled, not before  # R39
        self.counts_excess_late: bool = version >= 2
        self.binds_to_one_player: bool = version >= 2  # K♥ binds all its Laws to one player  # R58
        # to see the top of the draw pile takes no knowledge of it from others  # R60
        self.keeps_pile_known: bool = version >= 2


RULINGS: Final[dict[int, Rulings]] = {version: Rulings(version) for version in (1, 2)}
NEWEST: Final[Rulings] = RULINGS[2]
