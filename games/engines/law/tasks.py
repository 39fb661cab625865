"""What the agenda can hold and what a seat can decide, as the numbers the rules work with."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

# Tasks that wait for a seat. While a turn is on top, anybody may act at any time …
TURN: Final[i64] = 0
# … and nobody but those who are asked while it is one of these.
LAY: Final[i64] = 1  # the next card of a Bill
COLLECT: Final[i64] = 2  # from which pile
DISCARD: Final[i64] = 3  # number: how many cards
AIM: Final[i64] = 4  # at whom; number: how many cards that player discards
PASS: Final[i64] = 5  # other: to whom; number: how many
SWAP: Final[i64] = 6  # sealed; other: with whom; number: how many
CONTRIBUTE: Final[i64] = 7  # sealed, everybody; number: how many
RETURN: Final[i64] = 8  # sealed, everybody; number: how many Laws
SUBSTITUTE: Final[i64] = 9  # a card from the hand to collect; card: instead of which
REPLACE: Final[i64] = 10  # a Law that a card from the draw pile replaces
BIND: Final[i64] = 11  # a Law that is to bind one player alone
BIND_WHOM: Final[i64] = 12  # whom; card: the Law
FIRST: Final[i64] = 13  # the first of two players who swap hands
SECOND: Final[i64] = 14  # the other one; other: the first
STEAL: Final[i64] = 15  # a card; other: from whom; number: how many
ORDER: Final[i64] = 16  # which Law comes next of those that a card has set off
AWAITING: Final[i64] = 16
# … and tasks that run by themselves.
BEGIN: Final[i64] = 17  # begin a turn
DRAW: Final[i64] = 18  # number: how many cards
GAIN: Final[i64] = 19  # collect; number: how many times
GRANT: Final[i64] = 20  # a Law from the draw pile, without a choice; number: how many
HAPPEN: Final[i64] = 21  # an event; card: its Law
RECYCLE: Final[i64] = 22  # shuffle a Law into the draw pile; card: which
FIRE: Final[i64] = 23  # a Law that was set off; card: which

TASK_NAMES: Final = (
    *("turn", "lay", "collect", "discard", "aim", "pass", "swap", "contribute", "return"),
    *("substitute", "replace", "bind", "bind_whom", "first", "second", "steal", "order"),
    *("begin", "draw", "gain", "grant", "happen", "recycle", "fire"),
)

# Actions: the kind in the lowest eight bits, then one field in each following eight.
TAKE_ONE: Final[i64] = 0  # pile
DISCARD_ONE: Final[i64] = 1  # card, pile
ATTEND: Final[i64] = 2  # duty
END_TURN: Final[i64] = 3
REVEAL: Final[i64] = 4  # seat
ASK: Final[i64] = 5  # seat, card
BILL_KIND: Final[i64] = 6  # rank; this and the next three in the order of the shapes of Bills
BILL_STRAIGHT: Final[i64] = 7  # place
BILL_FLUSH: Final[i64] = 8  # suit
STRAIGHT_FLUSH: Final[i64] = 9  # place, suit
TRADE: Final[i64] = 10
TOP: Final[i64] = 11  # card, pile
LAY_ONE: Final[i64] = 12  # card
COLLECT_ONE: Final[i64] = 13  # pile
CHOOSE: Final[i64] = 14  # card
CHOOSE_LAW: Final[i64] = 15  # card
CHOOSE_SEAT: Final[i64] = 16  # seat
APPLY: Final[i64] = 17  # card

# What can be owed at the end of a turn beside discards, as numbers of a set.
PASS_RIGHT: Final[i64] = 0
PASS_LEFT: Final[i64] = 1
SWAP_LEFT: Final[i64] = 2
SWAP_RIGHT: Final[i64] = 3
DISCARD_DOWN: Final[i64] = 4
DUTIES: Final[i64] = 5
DUTY_NAMES: Final = ("pass_right", "pass_left", "swap_left", "swap_right", "discard_down")

# How a game can end.
ENDINGS: Final = ("", "laws", "straight_flush", "impossible", "stalemate", "too_long")
BY_LAWS: Final[i64] = 1
BY_STRAIGHT_FLUSH: Final[i64] = 2
BY_IMPOSSIBILITY: Final[i64] = 3
BY_STALEMATE: Final[i64] = 4
BY_LENGTH: Final[i64] = 5


def action(kind: i64, first: i64 = 0, second: i64 = 0) -> i64:
    """An action's number."""
    return kind | (first << 8) | (second << 16)


def first_of(code: i64) -> i64:
    """The first field of an action."""
    return (code >> 8) & 0xFF


def second_of(code: i64) -> i64:
    """The second field of an action."""
    return (code >> 16) & 0xFF


def about(number: i64, other: i64 = -1, card: i64 = -1) -> i64:
    """The subject of a task: how many, to or with whom, which card."""
    return number | ((other + 1) << 8) | ((card + 1) << 16)


def number_of(subject: i64) -> i64:
    """How many a task is about."""
    return subject & 0xFF


def other_of(subject: i64) -> i64:
    """The other seat that a task is about, or -1."""
    return ((subject >> 8) & 0xFF) - 1


def card_of(subject: i64) -> i64:
    """The card that a task is about, or -1."""
    return (subject >> 16) - 1
