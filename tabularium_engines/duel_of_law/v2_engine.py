"""Version 2 of Duel of Law: rivals answer the turn that empties a hand (R30), laws exclude cards
(R45 to R47), a clause narrows a law if it excludes a line of any length (R12), the last card can be
taken back (R37), laws may be said without a list (R48), and there are more clauses (R49 to R53)."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from tabularium_engines.duel_of_law.action_numbers import CLAIM
from tabularium_engines.duel_of_law.actions import SECOND_ACTIONS, SECOND_SAID
from tabularium_engines.duel_of_law.engine import MAX_ACTIONS, DuelOfLawEngine
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import SecondOptions
from tabularium_engines.duel_of_law.laws.law_language import SECOND_LANGUAGE
from tabularium_engines.duel_of_law.news_formats import SECOND_FORMATS
from tabularium_engines.duel_of_law.view import SecondView, second_view


class DuelOfLawV2Engine(DuelOfLawEngine):
    """Lay cards in lines, find laws that exclude cards, and steal lines by narrower laws."""

    about: ClassVar = replace(
        DuelOfLawEngine.about,
        version=2,
        options=SecondOptions,
        view=SecondView,
        actions=SECOND_ACTIONS,
        said=SECOND_SAID,
        news=SECOND_FORMATS,
        max_actions=MAX_ACTIONS * 7,  # 21 tries instead of three
    )
    catalogue: ClassVar = tuple(int(clause) for clause in SECOND_LANGUAGE.clauses)

    view = staticmethod(second_view)

    def offered_actions(self, state: DuelState, seat: int) -> list[int]:
        legal = state.legal_actions(seat)
        if state.turn.rulings.lists_laws:
            return legal
        return [action for action in legal if action & 0xFF != CLAIM]  # R48
