"""Version 2 of Law of the Dice: who goes on after a count is an option."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from games.engines.law_of_the_dice.engine import LawOfTheDiceEngine
from games.engines.law_of_the_dice.game_options import SecondOptions
from games.engines.law_of_the_dice.view import SecondView


class SecondLawOfTheDiceEngine(LawOfTheDiceEngine):
    """Cards are laws, dice trigger them, counts decide, and no caller goes on."""

    about: ClassVar = replace(
        LawOfTheDiceEngine.about, version=2, options=SecondOptions, view=SecondView
    )
