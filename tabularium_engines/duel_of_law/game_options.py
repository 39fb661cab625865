"""The options of Duel of Law: no variants are printed; since version 2 a table chooses how the end
is read. As dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Options:
    """No options: this table plays as printed."""


@dataclass(frozen=True)
class SecondOptions(Options):
    """When the game can be won once a hand is empty: from the next turn on, or at once; and
    whether the laws that a line may be given are listed, or players have to find and say them."""

    #: when the game can be won once a hand is empty: from the next turn on, or at once
    end: Literal["next_turn", "at_once"] = "next_turn"
    #: whether the laws of a line are listed, or players have to find and say them
    laws: Literal["listed", "said"] = "listed"
