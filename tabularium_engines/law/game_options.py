"""The options of Law: its printed variants, as a dataclass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tabularium_engines.common.playing_cards import FULL_DECK
from tabularium_engines.law.cards import INTRODUCTORY_DECK


@dataclass(frozen=True)
class Options:
    """The deck of this table: all 52 cards, or the twos to tens for a first game."""

    #: the whole deck, or the twos to tens for a first game
    deck: Literal["whole", "introductory"] = "whole"


def deck_of(options: Options) -> int:
    """The cards in play, as a set."""
    return int(FULL_DECK if options.deck == "whole" else INTRODUCTORY_DECK)
