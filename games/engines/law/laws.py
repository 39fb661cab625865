"""The 52 Laws of the printed table, a class for each, row by row from the twos to the aces.

All queens and kings are events. Steps that an event cannot take at once are pushed on the agenda,
the last step first.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.common.playing_cards import CARD_CODES, CLUBS, DIAMONDS, HEARTS, SPADES
from games.engines.law.action_numbers import (
    DUTY_DISCARD_DOWN,
    DUTY_PASS_LEFT,
    DUTY_PASS_RIGHT,
    DUTY_SWAP_LEFT,
    DUTY_SWAP_RIGHT,
    TASK_AIM,
    TASK_BIND,
    TASK_DRAW,
    TASK_FIRST_SEAT,
    TASK_GAIN,
    TASK_RECYCLE,
    TASK_REPLACE,
    TASK_RETURN,
    TASK_SUBSTITUTE,
    encode_subject,
)
from games.engines.law.card_moves import LawTable
from games.engines.law.cards import FIVES, THREES_AND_FOURS
from games.engines.law.law_base import Law
from games.engines.law.rule_parameters import (
    BILL_SHAPE_COUNT,
    SHAPE_FLUSH,
    SHAPE_KIND,
    SHAPE_STRAIGHT,
    RuleParameters,
)


class SmallerKinds(Law):
    code = "2S"  # 2♠
    text = "Three of a kind needs {n} card{s} less."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.resize_shape(SHAPE_KIND, -n)


class ShorterStraights(Law):
    code = "2C"  # 2♣
    text = "A straight needs {n} card{s} less."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.resize_shape(SHAPE_STRAIGHT, -n)


class SmallerFlushes(Law):
    code = "2D"  # 2♦
    text = "A flush needs {n} card{s} less."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.resize_shape(SHAPE_FLUSH, -n)


class SmallerBills(Law):
    code = "2H"  # 2♥
    text = "Every Bill needs {n} card{s} less."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        for shape in range(BILL_SHAPE_COUNT):
            terms.resize_shape(shape, -n)


class LargerKinds(Law):
    code = "3S"  # 3♠
    text = "Three of a kind needs {n} card{s} more."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.resize_shape(SHAPE_KIND, n)


class LongerStraights(Law):
    code = "3C"  # 3♣
    text = "A straight needs {n} card{s} more."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.resize_shape(SHAPE_STRAIGHT, n)


class LargerFlushes(Law):
    code = "3D"  # 3♦
    text = "A flush needs {n} card{s} more."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.resize_shape(SHAPE_FLUSH, n)


class HeartedStraights(Law):
    code = "3H"  # 3♥
    text = "Each straight must have {n} heart{s} in it."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.hearts += n


class NoKinds(Law):
    code = "4S"  # 4♠
    text = "Equal ranks are no Bill any more."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.ban_shape(SHAPE_KIND)


class NoStraights(Law):
    code = "4C"  # 4♣
    text = "Straights are no Bills any more."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.ban_shape(SHAPE_STRAIGHT)


class NoFlushes(Law):
    code = "4D"  # 4♦
    text = "Flushes are no Bills any more."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.ban_shape(SHAPE_FLUSH)


class WinningStraightFlush(Law):
    code = "4H"  # 4♥
    text = "Whoever plays a straight flush wins the game."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.straight_flush_wins = True


class BlackSuits(Law):
    code = "5S"  # 5♠
    text = "♠ and ♣ are one suit."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.join_suits(SPADES, CLUBS)


class MinorSuits(Law):
    code = "5C"  # 5♣
    text = "♣ and ♦ are one suit."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.join_suits(CLUBS, DIAMONDS)


class RedSuits(Law):
    code = "5D"  # 5♦
    text = "♦ and ♥ are one suit."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.join_suits(DIAMONDS, HEARTS)


class MajorSuits(Law):
    code = "5H"  # 5♥
    text = "♥ and ♠ are one suit."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.join_suits(HEARTS, SPADES)


class FivesOfAnyRank(Law):
    code = "6S"  # 6♠
    text = "A five can stand for any rank."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.wild_ranks = FIVES


class FivesOfAnySuit(Law):
    code = "6C"  # 6♣
    text = "A five can stand for any suit."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.wild_suits = FIVES


class DrawnFives(Law):
    code = "6D"  # 6♦
    text = "If you draw a five, everybody draws {n}."
    number = 1

    def draw_triggers(self, terms: RuleParameters) -> i64:
        return FIVES

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        table.push_for_all(TASK_DRAW, seat, n)


class DiscardedFives(Law):
    code = "6H"  # 6♥
    text = "If you discard a five, all hands go one seat to the left."

    def discard_triggers(self, terms: RuleParameters) -> i64:
        return FIVES

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        table.pass_hands(seat)


class DrawnSpades(Law):
    code = "7S"  # 7♠
    text = "If you draw a spade, draw {n}."
    number = 1

    def draw_triggers(self, terms: RuleParameters) -> i64:
        return terms.suits[SPADES]

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        table.agenda.push(TASK_DRAW, seat, encode_subject(n))


class DrawnClubs(Law):
    code = "7C"  # 7♣
    text = "If you draw a club, choose a player who discards {n}."
    number = 1

    def draw_triggers(self, terms: RuleParameters) -> i64:
        return terms.suits[CLUBS]

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        table.agenda.push(TASK_AIM, seat, encode_subject(n))


class DiscardedDiamonds(Law):
    code = "7D"  # 7♦
    text = "If you discard a diamond, draw {n}."
    number = 1

    def discard_triggers(self, terms: RuleParameters) -> i64:
        return terms.suits[DIAMONDS]

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        table.agenda.push(TASK_DRAW, seat, encode_subject(n))


class DiscardedHearts(Law):
    code = "7H"  # 7♥
    text = "If you discard a heart, choose a player who discards {n}."
    number = 1

    def discard_triggers(self, terms: RuleParameters) -> i64:
        return terms.suits[HEARTS]

    def fire(self, table: LawTable, seat: i64, n: i64) -> None:
        table.agenda.push(TASK_AIM, seat, encode_subject(n))


class PassingRight(Law):
    code = "8S"  # 8♠
    text = "End of turn: pass {n} card{s} to the right."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.add_duty(DUTY_PASS_RIGHT, n)


class PassingLeft(Law):
    code = "8C"  # 8♣
    text = "End of turn: pass {n} card{s} to the left."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.add_duty(DUTY_PASS_LEFT, n)


class SwappingLeft(Law):
    code = "8D"  # 8♦
    text = "End of turn: swap {n} card{s} with your left neighbour."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.add_duty(DUTY_SWAP_LEFT, n)


class SwappingRight(Law):
    code = "8H"  # 8♥
    text = "End of turn: swap {n} card{s} with your right neighbour."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.add_duty(DUTY_SWAP_RIGHT, n)


class OpenDrawPile(Law):
    code = "9S"  # 9♠
    text = "The draw pile lies face up."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.sees_pile = True


class HiddenDiscards(Law):
    code = "9C"  # 9♣
    text = "The discard pile lies face down."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.is_blind = True


class MoreDiscardPiles(Law):
    code = "9D"  # 9♦
    text = "There are {n} discard piles."
    number = 2

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.piles = n


class Burying(Law):
    code = "9H"  # 9♥
    text = "You may discard onto the draw pile."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.may_bury = True


class LongerStart(Law):
    code = "10S"  # 10♠
    text = "Start of turn: take {n} more."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.takes += n


class HandLimit(Law):
    code = "10C"  # 10♣
    text = "End of turn: discard until you hold {n}."
    number = 6

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.add_duty(DUTY_DISCARD_DOWN, n)


class FewestDiscardLess(Law):
    code = "10D"  # 10♦
    text = "Fewest Laws: discard {n} less each turn."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.spared_of_fewest += n


class FewestTakeMore(Law):
    code = "10H"  # 10♥
    text = "Fewest Laws: take {n} more each turn."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.takes_of_fewest += n


class DoubledNumbers(Law):
    code = "JS"  # J♠
    text = "Numbers on all Laws are doubled."
    is_doubling = True  # R22: it does not double itself, and has no number


class CollectingMore(Law):
    code = "JC"  # J♣
    text = "If you collect, collect {n}. You need {n} Laws more."
    number = 2

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.collects = n
        terms.needed += n


class OpenHands(Law):
    code = "JD"  # J♦
    text = "Most Laws: play with an open hand."

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.is_open_with_most = True


class MostDiscardMore(Law):
    code = "JH"  # J♥
    text = "Most Laws: discard {n} more each turn."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.discards_of_most += n


class EverybodyCollects(Law):
    code = "QS"  # Q♠
    text = "Everybody collects {n} Law{s} and needs {n} more."
    number = 1
    is_event = True

    def apply_event(self, table: LawTable, seat: i64, n: i64) -> None:
        table.raise_needs(seat, n)
        table.push_for_all(TASK_GAIN, seat, n)


class EverybodyReturns(Law):
    code = "QC"  # Q♣
    text = "Everybody gives {n} of their Laws back to the deck."
    number = 1
    is_event = True

    def apply_event(self, table: LawTable, seat: i64, n: i64) -> None:
        table.agenda.push(TASK_RETURN, seat, encode_subject(n))


class NoThreesAndFours(Law):
    code = "QD"  # Q♦
    text = "All threes and fours leave the game."
    is_event = True

    def apply_event(self, table: LawTable, seat: i64, n: i64) -> None:
        table.remove_from_game(THREES_AND_FOURS)


class AllReplaced(Law):
    code = "QH"  # Q♥
    text = "All Laws are replaced at random."
    is_event = True

    def apply_event(self, table: LawTable, seat: i64, n: i64) -> None:
        table.replace_all_laws(seat)


class FromTheHand(Law):
    code = "KS"  # K♠
    text = "Collect {n} card{s} from your hand instead."
    number = 1
    is_event = True

    def apply_event(self, table: LawTable, seat: i64, n: i64) -> None:
        if table.hands[seat] != 0:  # R55
            for _ in range(n):
                table.agenda.push(TASK_SUBSTITUTE, seat)
            table.agenda.push(
                TASK_RECYCLE, seat, encode_subject(0, -1, CARD_CODES.index(self.code))
            )


class SwappedHands(Law):
    code = "KC"  # K♣
    text = "Choose two players who swap hands."
    is_event = True

    def apply_event(self, table: LawTable, seat: i64, n: i64) -> None:
        table.agenda.push(TASK_FIRST_SEAT, seat)


class OneReplaced(Law):
    code = "KD"  # K♦
    text = "Choose {n} Law{s}, to be replaced at random."
    number = 1
    is_event = True

    def apply_event(self, table: LawTable, seat: i64, n: i64) -> None:
        for _ in range(n):
            table.agenda.push(TASK_REPLACE, seat)


class BoundToOne(Law):
    code = "KH"  # K♥
    text = "Choose {n} Law{s} and a player; it binds only them."
    number = 1
    is_event = True

    def apply_event(self, table: LawTable, seat: i64, n: i64) -> None:
        for _ in range(n):
            table.agenda.push(TASK_BIND, seat)


class Topping(Law):
    code = "AS"  # A♠
    text = "Not on your turn: play the next rank on the discard pile to draw {n}."
    number = 3

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.topping = n


class Stealing(Law):
    code = "AC"  # A♣
    text = "Your turn: look at a hand and steal {n} card{s}."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.steals = n


class Trading(Law):
    code = "AD"  # A♦
    text = "At any time: discard {n} to draw {half}."
    number = 2

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.trade_cost = n
        terms.trade_gain = n // 2


class Asking(Law):
    code = "AH"  # A♥
    text = "Your turn, {n} time{s}: ask a player for a card; it is yours if they have it."
    number = 1

    def amend(self, terms: RuleParameters, n: i64) -> None:
        terms.asks = n


# Row by row, in the order of the printed table.
LAWS: Final[list[Law]] = [
    *(SmallerKinds(), ShorterStraights(), SmallerFlushes(), SmallerBills()),
    *(LargerKinds(), LongerStraights(), LargerFlushes(), HeartedStraights()),
    *(NoKinds(), NoStraights(), NoFlushes(), WinningStraightFlush()),
    *(BlackSuits(), MinorSuits(), RedSuits(), MajorSuits()),
    *(FivesOfAnyRank(), FivesOfAnySuit(), DrawnFives(), DiscardedFives()),
    *(DrawnSpades(), DrawnClubs(), DiscardedDiamonds(), DiscardedHearts()),
    *(PassingRight(), PassingLeft(), SwappingLeft(), SwappingRight()),
    *(OpenDrawPile(), HiddenDiscards(), MoreDiscardPiles(), Burying()),
    *(LongerStart(), HandLimit(), FewestDiscardLess(), FewestTakeMore()),
    *(DoubledNumbers(), CollectingMore(), OpenHands(), MostDiscardMore()),
    *(EverybodyCollects(), EverybodyReturns(), NoThreesAndFours(), AllReplaced()),
    *(FromTheHand(), SwappedHands(), OneReplaced(), BoundToOne()),
    *(Topping(), Stealing(), Trading(), Asking()),
]
