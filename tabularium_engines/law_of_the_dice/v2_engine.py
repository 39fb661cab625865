"""Version 2 of Law of the Dice: who goes on after a count is an option, and a game of two players
can have two legs, so that each of them begins once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Final

from tabularium_engines.law_of_the_dice.engine import LawOfTheDiceEngine
from tabularium_engines.law_of_the_dice.game_options import SecondOptions
from tabularium_engines.law_of_the_dice.news_formats import SECOND_FORMATS
from tabularium_engines.law_of_the_dice.view import SecondView

MAX_LEGS: Final = 2
RATING_REFUSAL: Final = (
    "The player who begins wins most games of two players: take version 2 with the option"
    " `legs: 2`, in which each of them begins once."
)


class LawOfTheDiceV2Engine(LawOfTheDiceEngine):
    """Cards are laws, dice trigger them, counts decide, and no caller goes on."""

    about: ClassVar = replace(
        LawOfTheDiceEngine.about,
        version=2,
        options=SecondOptions,
        view=SecondView,
        news=SECOND_FORMATS,
        max_actions=MAX_LEGS * LawOfTheDiceEngine.about.max_actions,
    )

    def misfit(self, options: Any, seats: int) -> tuple[str, str] | None:
        if options.legs > 1 and seats > 2:  # R35
            return "legs", f"must be 1 at a table of {seats} players: two legs are for two"
        return None

    def rating_refusal(self, options: Any, seats: int) -> str:
        is_paired = isinstance(options, SecondOptions) and options.legs == MAX_LEGS
        return RATING_REFUSAL if seats == 2 and not is_paired else ""  # R38
