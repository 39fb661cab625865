"""The options of Law: its printed variants, and since version 2 the seat that begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from tabularium_engines.common.json_codec import Between
from tabularium_engines.common.playing_cards import FULL_DECK
from tabularium_engines.law.cards import INTRODUCTORY_DECK


@dataclass(frozen=True)
class Options:
    """The deck of this table: all 52 cards, or the twos to tens for a first game."""

    #: the whole deck, or the twos to tens for a first game
    deck: Literal["whole", "introductory"] = "whole"


@dataclass(frozen=True)
class V2Options(Options):
    """The deck of this table, and the seat that begins: none leaves it to chance."""

    #: the seat that begins; null: chance decides
    first: Annotated[int, Between(0, 3)] | None = None


def deck_of(options: Options) -> int:
    """The cards in play, as a set."""
    return int(FULL_DECK if options.deck == "whole" else INTRODUCTORY_DECK)
