"""The options of Law of the Dice: its printed variants and, since version 2, the readings of two
rules and the number of legs, as dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from games.engines.common.json_codec import Between


@dataclass(frozen=True)
class Options:
    """The variant: the choice of the suit, the cards counted, and whether laws survive a count."""

    suit_by: Literal["vote", "die"] = "vote"
    counted: Literal["hands", "laws", "both"] = "hands"
    laws_kept: bool = False
    points_to_win: Annotated[int, Between(1, 10)] = 3


@dataclass(frozen=True)
class SecondOptions(Options):
    """The variant; who goes on after a called count and after that of an empty draw pile; and how
    many legs a game of two players has."""

    next_turn: Literal["caller", "left_of_caller", "left_of_starter", "winner", "loser"] = (
        "left_of_caller"
    )
    empty_pile: Literal["next", "same"] = "same"
    legs: Annotated[int, Between(1, 2)] = 1
