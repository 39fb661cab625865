"""The rulings in which the versions of the rules and the variants of a table differ."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tabularium_engines.duel_of_law.laws.law_language import (
    FIRST_LANGUAGE,
    SECOND_LANGUAGE,
    Language,
)


class Rulings:
    """The rulings of one table. Never changed: all states of a game share them."""

    def __init__(self, version: i64, opens_at_once: bool, lists_laws: bool = True) -> None:
        self.language: Language = SECOND_LANGUAGE if version >= 2 else FIRST_LANGUAGE
        self.opens_at_once: bool = opens_at_once  # the turn that empties a hand can win  # R30
        self.lists_laws: bool = lists_laws  # R48
        self.may_undo: bool = version >= 2  # take back the last card alone  # R37
        self.shows_last_turn: bool = version >= 2  # in the view
        # how often a turn may be taken back before its seat has to draw
        self.retries: i64 = 20 if version >= 2 else 2


FIRST_RULINGS: Final = Rulings(1, True)
