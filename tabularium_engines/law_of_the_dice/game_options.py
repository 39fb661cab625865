"""The options of Law of the Dice: its printed variants; since version 2 the readings of two rules
and the number of legs; since version 3 our house rules. All are dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from tabularium_engines.common.json_codec import Between


@dataclass(frozen=True)
class Options:
    """The variant: the choice of the suit, the cards counted, and whether laws survive a count."""

    #: who chooses the suit of a count: all players by vote, or a die
    suit_by: Literal["vote", "die"] = "vote"
    counted: Literal["hands", "laws", "both"] = "hands"  #: the cards that are counted
    laws_kept: bool = False  #: whether laws stay after a count
    points_to_win: Annotated[int, Between(1, 10)] = 3  #: the points that win the game


@dataclass(frozen=True)
class SecondOptions(Options):
    """The variant; who goes on after a called count and after that of an empty draw pile; and how
    many legs a game of two players has."""

    #: who goes on after a called count
    next_turn: Literal["caller", "left_of_caller", "left_of_starter", "winner", "loser"] = (
        "left_of_caller"
    )
    #: who goes on after the count of an empty draw pile: the next, or the same player
    empty_pile: Literal["next", "same"] = "same"
    #: the number of legs; with two, each of two players begins once
    legs: Annotated[int, Between(1, 2)] = 1


@dataclass(frozen=True)
class ThirdOptions(SecondOptions):
    """The variant; who goes on after a count; the legs; and our house rules, by which laws fire."""

    #: the number of legs; with two, each of two players begins once. 0: two legs for two players
    legs: Annotated[int, Between(0, 2)] = 0
    #: our own, for games in which laws fire: each turn begins with a d4, laws stay after a count,
    #: and a count can be called once each player has had a turn since the deal
    house_rules: bool = False
