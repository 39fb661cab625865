"""The rulings in which the versions of the rules differ."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64


class Rulings:
    """The rulings of one version. Never changed: all its states share them."""

    def __init__(self, version: i64) -> None:
        # a row of no more cards than this has one end  # R8
        self.one_place_size: i64 = 1 if version >= 2 else 0
        self.counts_all_dealt: bool = version >= 2  # a challenge covers all Completes dealt  # R16


RULINGS: Final[dict[int, Rulings]] = {version: Rulings(version) for version in (1, 2)}
