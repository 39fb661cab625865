"""The Laws of the printed table, row by row: the tens to the aces.

All queens and kings are events. What they cannot do at once they put on the agenda, what comes last
first.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.common.french import CODES
from games.engines.law.cards import THREES_AND_FOURS
from games.engines.law.law import Law
from games.engines.law.table import LawTable
from games.engines.law.tasks import (
    BIND,
    DISCARD_DOWN,
    FIRST,
    GAIN,
    RECYCLE,
    REPLACE,
    RETURN,
    SUBSTITUTE,
    about,
)
from games.engines.law.terms import Terms


class LongerStart(Law):
    code = "10S"
    text = "Start of turn: take {n} more."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.takes += n


class HandLimit(Law):
    code = "10C"
    text = "End of turn: discard until you hold {n}."
    number = 6

    def amend(self, terms: Terms, n: i64) -> None:
        terms.owe(DISCARD_DOWN, n)


class FewestDiscardLess(Law):
    code = "10D"
    text = "Fewest Laws: discard {n} less each turn."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.spared_of_fewest += n


class FewestTakeMore(Law):
    code = "10H"
    text = "Fewest Laws: take {n} more each turn."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.takes_of_fewest += n


class DoubledNumbers(Law):
    code = "JS"
    text = "Numbers on all Laws are doubled."
    is_doubling = True  # R22: and no number of its own


class CollectingMore(Law):
    code = "JC"
    text = "If you collect, collect {n}. You need {n} Laws more."
    number = 2

    def amend(self, terms: Terms, n: i64) -> None:
        terms.collects = n
        terms.needed += n


class OpenHands(Law):
    code = "JD"
    text = "Most Laws: play with an open hand."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.is_open_with_most = True


class MostDiscardMore(Law):
    code = "JH"
    text = "Most Laws: discard {n} more each turn."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.discards_of_most += n


class EverybodyCollects(Law):
    code = "QS"
    text = "Everybody collects {n} Law{s} and needs {n} more."
    number = 1
    is_event = True

    def happen(self, table: LawTable, seat: i64, n: i64) -> None:
        table.raise_needs(seat, n)
        table.push_for_all(GAIN, seat, n)


class EverybodyReturns(Law):
    code = "QC"
    text = "Everybody gives {n} of their Laws back to the deck."
    number = 1
    is_event = True

    def happen(self, table: LawTable, seat: i64, n: i64) -> None:
        table.agenda.push(RETURN, seat, about(n))


class NoThreesAndFours(Law):
    code = "QD"
    text = "All threes and fours leave the game."
    is_event = True

    def happen(self, table: LawTable, seat: i64, n: i64) -> None:
        table.remove(THREES_AND_FOURS)


class AllReplaced(Law):
    code = "QH"
    text = "All Laws are replaced at random."
    is_event = True

    def happen(self, table: LawTable, seat: i64, n: i64) -> None:
        table.replace_all_laws(seat)


class FromTheHand(Law):
    code = "KS"
    text = "Collect {n} card{s} from your hand instead."
    number = 1
    is_event = True

    def happen(self, table: LawTable, seat: i64, n: i64) -> None:
        if table.hands[seat] != 0:  # R55
            for _ in range(n):
                table.agenda.push(SUBSTITUTE, seat)
            table.agenda.push(RECYCLE, seat, about(0, -1, CODES.index(self.code)))


class SwappedHands(Law):
    code = "KC"
    text = "Choose two players who swap hands."
    is_event = True

    def happen(self, table: LawTable, seat: i64, n: i64) -> None:
        table.agenda.push(FIRST, seat)


class OneReplaced(Law):
    code = "KD"
    text = "Choose {n} Law{s}, to be replaced at random."
    number = 1
    is_event = True

    def happen(self, table: LawTable, seat: i64, n: i64) -> None:
        for _ in range(n):
            table.agenda.push(REPLACE, seat)


class BoundToOne(Law):
    code = "KH"
    text = "Choose {n} Law{s} and a player; it binds only them."
    number = 1
    is_event = True

    def happen(self, table: LawTable, seat: i64, n: i64) -> None:
        for _ in range(n):
            table.agenda.push(BIND, seat)


class Topping(Law):
    code = "AS"
    text = "Not on your turn: play the next rank on the discard pile to draw {n}."
    number = 3

    def amend(self, terms: Terms, n: i64) -> None:
        terms.topping = n


class Stealing(Law):
    code = "AC"
    text = "Your turn: look at a hand and steal {n} card{s}."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.steals = n


class Trading(Law):
    code = "AD"
    text = "At any time: discard {n} to draw {half}."
    number = 2

    def amend(self, terms: Terms, n: i64) -> None:
        terms.trade_cost = n
        terms.trade_gain = n // 2


class Asking(Law):
    code = "AH"
    text = "Your turn, {n} time{s}: ask a player for a card; it is yours if they have it."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.asks = n


# Row by row, in the order of the printed table.
HIGH: Final[list[Law]] = [
    *(LongerStart(), HandLimit(), FewestDiscardLess(), FewestTakeMore()),
    *(DoubledNumbers(), CollectingMore(), OpenHands(), MostDiscardMore()),
    *(EverybodyCollects(), EverybodyReturns(), NoThreesAndFours(), AllReplaced()),
    *(FromTheHand(), SwappedHands(), OneReplaced(), BoundToOne()),
    *(Topping(), Stealing(), Trading(), Asking()),
]
