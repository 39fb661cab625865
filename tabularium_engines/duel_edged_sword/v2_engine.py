"""Version 2 of Duel-Edged Sword: a row of one card is one place (R8), and a challenge covers all
Completes that were dealt (R16)."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from tabularium_engines.duel_edged_sword.engine import DuelEdgedSwordEngine
from tabularium_engines.duel_edged_sword.news_formats import SECOND_FORMATS
from tabularium_engines.duel_edged_sword.rulings import RULINGS


class DuelEdgedSwordV2Engine(DuelEdgedSwordEngine):
    """Matches collect cards, Completes score, other kinds end a player's round."""

    about: ClassVar = replace(DuelEdgedSwordEngine.about, version=2, news=SECOND_FORMATS)
    rulings: ClassVar = RULINGS[2]
