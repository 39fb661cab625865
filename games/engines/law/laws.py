"""The Laws of the printed table, row by row: the twos to the nines."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.common.french import CLUBS, DIAMONDS, HEARTS, SPADES
from games.engines.law.cards import FIVES
from games.engines.law.law import Law
from games.engines.law.table import LawTable
from games.engines.law.tasks import (
    AIM,
    DRAW,
    PASS_LEFT,
    PASS_RIGHT,
    SWAP_LEFT,
    SWAP_RIGHT,
    about,
)
from games.engines.law.terms import FLUSH, KIND, SHAPES, STRAIGHT, Terms


class SmallerKinds(Law):
    code = "2S"
    text = "Three of a kind needs {n} card{s} less."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.resize(KIND, -n)


class ShorterStraights(Law):
    code = "2C"
    text = "A straight needs {n} card{s} less."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.resize(STRAIGHT, -n)


class SmallerFlushes(Law):
    code = "2D"
    text = "A flush needs {n} card{s} less."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.resize(FLUSH, -n)


class SmallerBills(Law):
    code = "2H"
    text = "Every Bill needs {n} card{s} less."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        for shape in range(SHAPES):
            terms.resize(shape, -n)


class LargerKinds(Law):
    code = "3S"
    text = "Three of a kind needs {n} card{s} more."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.resize(KIND, n)


class LongerStraights(Law):
    code = "3C"
    text = "A straight needs {n} card{s} more."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.resize(STRAIGHT, n)


class LargerFlushes(Law):
    code = "3D"
    text = "A flush needs {n} card{s} more."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.resize(FLUSH, n)


class HeartedStraights(Law):
    code = "3H"
    text = "Each straight must have {n} heart{s} in it."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.hearts += n


class NoKinds(Law):
    code = "4S"
    text = "Equal ranks are no Bill any more."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.ban(KIND)


class NoStraights(Law):
    code = "4C"
    text = "Straights are no Bills any more."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.ban(STRAIGHT)


class NoFlushes(Law):
    code = "4D"
    text = "Flushes are no Bills any more."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.ban(FLUSH)


class WinningStraightFlush(Law):
    code = "4H"
    text = "Whoever plays a straight flush wins the game."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.straight_flush_wins = True


class BlackSuits(Law):
    code = "5S"
    text = "♠ and ♣ are one suit."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.join(SPADES, CLUBS)


class MinorSuits(Law):
    code = "5C"
    text = "♣ and ♦ are one suit."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.join(CLUBS, DIAMONDS)


class RedSuits(Law):
    code = "5D"
    text = "♦ and ♥ are one suit."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.join(DIAMONDS, HEARTS)


class MajorSuits(Law):
    code = "5H"
    text = "♥ and ♠ are one suit."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.join(HEARTS, SPADES)


class FivesOfAnyRank(Law):
    code = "6S"
    text = "A five can stand for any rank."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.wild_ranks = FIVES


class FivesOfAnySuit(Law):
    code = "6C"
    text = "A five can stand for any suit."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.wild_suits = FIVES


class DrawnFives(Law):
    code = "6D"
    text = "If you draw a five, everybody draws {n}."
    number = 1

    def drawn(self, terms: Terms) -> i64:
        return FIVES

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        table.push_for_all(DRAW, seat, n)


class DiscardedFives(Law):
    code = "6H"
    text = "If you discard a five, all hands go one seat to the left."

    def discarded(self, terms: Terms) -> i64:
        return FIVES

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        table.pass_hands(seat)


class DrawnSpades(Law):
    code = "7S"
    text = "If you draw a spade, draw {n}."
    number = 1

    def drawn(self, terms: Terms) -> i64:
        return terms.suits[SPADES]

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        table.agenda.push(DRAW, seat, about(n))


class DrawnClubs(Law):
    code = "7C"
    text = "If you draw a club, choose a player who discards {n}."
    number = 1

    def drawn(self, terms: Terms) -> i64:
        return terms.suits[CLUBS]

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        table.agenda.push(AIM, seat, about(n))


class DiscardedDiamonds(Law):
    code = "7D"
    text = "If you discard a diamond, draw {n}."
    number = 1

    def discarded(self, terms: Terms) -> i64:
        return terms.suits[DIAMONDS]

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        table.agenda.push(DRAW, seat, about(n))


class DiscardedHearts(Law):
    code = "7H"
    text = "If you discard a heart, choose a player who discards {n}."
    number = 1

    def discarded(self, terms: Terms) -> i64:
        return terms.suits[HEARTS]

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        table.agenda.push(AIM, seat, about(n))


class PassingRight(Law):
    code = "8S"
    text = "End of turn: pass {n} card{s} to the right."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.owe(PASS_RIGHT, n)


class PassingLeft(Law):
    code = "8C"
    text = "End of turn: pass {n} card{s} to the left."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.owe(PASS_LEFT, n)


class SwappingLeft(Law):
    code = "8D"
    text = "End of turn: swap {n} card{s} with your left neighbour."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.owe(SWAP_LEFT, n)


class SwappingRight(Law):
    code = "8H"
    text = "End of turn: swap {n} card{s} with your right neighbour."
    number = 1

    def amend(self, terms: Terms, n: i64) -> None:
        terms.owe(SWAP_RIGHT, n)


class OpenDrawPile(Law):
    code = "9S"
    text = "The draw pile lies face up."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.sees_pile = True


class HiddenDiscards(Law):
    code = "9C"
    text = "The discard pile lies face down."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.is_blind = True


class MoreDiscardPiles(Law):
    code = "9D"
    text = "There are {n} discard piles."
    number = 2

    def amend(self, terms: Terms, n: i64) -> None:
        terms.piles = n


class Burying(Law):
    code = "9H"
    text = "You may discard onto the draw pile."

    def amend(self, terms: Terms, n: i64) -> None:
        terms.may_bury = True


# Row by row, in the order of the printed table.
LOW: Final[list[Law]] = [
    *(SmallerKinds(), ShorterStraights(), SmallerFlushes(), SmallerBills()),
    *(LargerKinds(), LongerStraights(), LargerFlushes(), HeartedStraights()),
    *(NoKinds(), NoStraights(), NoFlushes(), WinningStraightFlush()),
    *(BlackSuits(), MinorSuits(), RedSuits(), MajorSuits()),
    *(FivesOfAnyRank(), FivesOfAnySuit(), DrawnFives(), DiscardedFives()),
    *(DrawnSpades(), DrawnClubs(), DiscardedDiamonds(), DiscardedHearts()),
    *(PassingRight(), PassingLeft(), SwappingLeft(), SwappingRight()),
    *(OpenDrawPile(), HiddenDiscards(), MoreDiscardPiles(), Burying()),
]
