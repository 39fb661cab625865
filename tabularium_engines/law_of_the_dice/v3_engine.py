"""Version 3 of Law of the Dice: two players play two legs unless they say otherwise, and with our
house rules laws fire."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Final

from tabularium_engines.law_of_the_dice.engine import MAX_ACTIONS
from tabularium_engines.law_of_the_dice.game_options import SecondOptions, ThirdOptions
from tabularium_engines.law_of_the_dice.v2_engine import MAX_LEGS, LawOfTheDiceV2Engine
from tabularium_engines.law_of_the_dice.view import ThirdView

MAX_CHAINS: Final = 3  # of a turn: one more than without its own die
RATING_REFUSAL: Final = (
    "The player who begins wins most games of two players: take version 3 without `legs: 1`, in"
    " which each of them begins one of two legs."
)


class LawOfTheDiceV3Engine(LawOfTheDiceV2Engine):
    """Cards are laws, dice trigger them, and counts decide."""

    about: ClassVar = replace(
        LawOfTheDiceV2Engine.about,
        version=3,
        options=ThirdOptions,
        view=ThirdView,
        max_actions=MAX_LEGS * MAX_CHAINS * MAX_ACTIONS // 2,
    )

    def rating_refusal(self, options: Any, seats: int) -> str:
        has_one_leg = not isinstance(options, SecondOptions) or options.legs == 1
        return RATING_REFUSAL if seats == 2 and has_one_leg else ""  # R38
