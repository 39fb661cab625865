"""The options of Law: its printed variants, as a dataclass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Options:
    """The deck of this table: all 52 cards, or the twos to tens for a first game."""

    deck: Literal["whole", "introductory"] = "whole"
