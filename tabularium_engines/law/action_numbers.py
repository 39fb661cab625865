"""Actions encoded as integers for the rules: a seat's actions, and the tasks on the agenda."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

# Tasks that wait for a seat. While a turn is on top, any seat may act at any time …
TASK_TURN: Final[i64] = 0
# … and only the seats that are asked while it is one of these.
TASK_LAY: Final[i64] = 1  # the next card of a Bill
TASK_COLLECT: Final[i64] = 2  # the pile to collect from
TASK_DISCARD: Final[i64] = 3  # number: how many cards
TASK_AIM: Final[i64] = 4  # the player to discard; number: how many cards
TASK_PASS: Final[i64] = 5  # other: the receiver; number: how many
TASK_SWAP: Final[i64] = 6  # sealed; other: the partner; number: how many
TASK_CONTRIBUTE: Final[i64] = 7  # sealed, all seats; number: how many
TASK_RETURN: Final[i64] = 8  # sealed, all seats; number: how many Laws
TASK_SUBSTITUTE: Final[i64] = 9  # a card from the hand to collect; card: the one it replaces
TASK_REPLACE: Final[i64] = 10  # a Law to be replaced by a card from the draw pile
TASK_BIND: Final[i64] = 11  # a Law to be bound to one player
TASK_BIND_WHOM: Final[i64] = 12  # the player to bind; card: the Law
TASK_FIRST_SEAT: Final[i64] = 13  # the first of two players who swap hands
TASK_SECOND_SEAT: Final[i64] = 14  # the other one; other: the first
TASK_STEAL: Final[i64] = 15  # a card; other: the victim; number: how many
TASK_ORDER: Final[i64] = 16  # the next of the Laws that a card has set off
LAST_AWAITING_TASK: Final[i64] = 16
# … and tasks that run by themselves.
TASK_BEGIN_TURN: Final[i64] = 17
TASK_DRAW: Final[i64] = 18  # number: how many cards
TASK_GAIN: Final[i64] = 19  # collect; number: how many times
TASK_GRANT: Final[i64] = 20  # a Law from the draw pile, without a choice; number: how many
TASK_EVENT: Final[i64] = 21  # an event; card: its Law
TASK_RECYCLE: Final[i64] = 22  # shuffle a Law into the draw pile; card: the Law
TASK_FIRE: Final[i64] = 23  # run a Law that was set off; card: the Law

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

# The shapes of a Bill, and the one that wins where a Law says so.
SHAPE_KIND: Final[i64] = 0
SHAPE_STRAIGHT: Final[i64] = 1
SHAPE_FLUSH: Final[i64] = 2
SHAPE_STRAIGHT_FLUSH: Final[i64] = 3
BILL_SHAPE_COUNT: Final[i64] = 3
SHAPE_NAMES: Final = ("kind", "straight", "flush", "straight_flush")

# Duties at the end of a turn other than discards, as members of a set.
DUTY_PASS_RIGHT: Final[i64] = 0
DUTY_PASS_LEFT: Final[i64] = 1
DUTY_SWAP_LEFT: Final[i64] = 2
DUTY_SWAP_RIGHT: Final[i64] = 3
DUTY_DISCARD_DOWN: Final[i64] = 4
DUTY_COUNT: Final[i64] = 5

# How a game can end.
ENDING_NAMES: Final = ("", "laws", "straight_flush", "impossible", "stalemate", "too_long")
ENDED_BY_LAWS: Final[i64] = 1
ENDED_BY_STRAIGHT_FLUSH: Final[i64] = 2
ENDED_BY_IMPOSSIBILITY: Final[i64] = 3
ENDED_BY_STALEMATE: Final[i64] = 4
ENDED_BY_LENGTH: Final[i64] = 5


def encode_action(kind: i64, first: i64 = 0, second: i64 = 0) -> i64:
    """An action's number."""
    return kind | (first << 8) | (second << 16)


def first_field(code: i64) -> i64:
    """The first field of an action."""
    return (code >> 8) & 0xFF


def second_field(code: i64) -> i64:
    """The second field of an action."""
    return (code >> 16) & 0xFF


def encode_subject(number: i64, other: i64 = -1, card: i64 = -1) -> i64:
    """The subject of a task: a number, another seat and a card."""
    return number | ((other + 1) << 8) | ((card + 1) << 16)


def number_of(subject: i64) -> i64:
    """The number in a task's subject."""
    return subject & 0xFF


def other_of(subject: i64) -> i64:
    """The other seat in a task's subject, or -1."""
    return ((subject >> 8) & 0xFF) - 1


def card_of(subject: i64) -> i64:
    """The card in a task's subject, or -1."""
    return (subject >> 16) - 1
