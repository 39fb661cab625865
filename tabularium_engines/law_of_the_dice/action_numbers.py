"""Actions encoded as integers for the rules: a seat's actions, and the tasks on the agenda."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

# Tasks that wait for a seat …
TASK_ACT: Final[i64] = 0  # one of the two actions of a turn
TASK_CLOSE_TURN: Final[i64] = 1  # the end of a turn: call a count or not
TASK_TARGET: Final[i64] = 2  # which player a power targets; subject: its rank
TASK_SHIFT: Final[i64] = 3  # which number to raise or lower
TASK_SWAP: Final[i64] = 4  # which two numbers to swap
TASK_DISCARD: Final[i64] = 5  # which card to discard
TASK_GIVE: Final[i64] = 6  # which card to give; subject: the recipient
TASK_ROLL: Final[i64] = 7  # whether to roll; subject: the die
TASK_VOTE: Final[i64] = 8  # the sealed vote of all seats
TASK_LAST_WORD: Final[i64] = 9  # the caller settles a tie; subject: the set of suits
LAST_AWAITING_TASK: Final[i64] = 9
# … and tasks that run without a decision.
TASK_BEGIN_TURN: Final[i64] = 10
TASK_END_TURN: Final[i64] = 11
TASK_CHAIN: Final[i64] = 12  # fire the laws that dice have triggered, first in, first out
TASK_COUNT: Final[i64] = 13  # count a suit; subject: the suit

TASK_NAMES: Final = (
    *("act", "close", "target", "shift", "swap", "discard", "give", "roll", "vote", "last_word"),
    *("turn", "end", "chain", "count"),
)

# Actions: the kind in the lowest eight bits, then one field in each following eight.
PLAY: Final[i64] = 0  # card
ENACT: Final[i64] = 1  # card, slot
PUT_NUMBER: Final[i64] = 2  # card, slot, number - 1
DRAW: Final[i64] = 3
CALL_COUNT: Final[i64] = 4
END_TURN: Final[i64] = 5
AIM: Final[i64] = 6  # seat
SHIFT_NUMBER: Final[i64] = 7  # slot, number - 1
SWAP_NUMBERS: Final[i64] = 8  # slot, other slot
DISCARD_CARD: Final[i64] = 9  # card
GIVE_CARD: Final[i64] = 10  # card
ROLL_DIE: Final[i64] = 11
DECLINE: Final[i64] = 12
CAST_VOTE: Final[i64] = 13  # suit
DECIDE: Final[i64] = 14  # suit


def encode_action(kind: i64, first: i64 = 0, second: i64 = 0, third: i64 = 0) -> i64:
    """The number of an action."""
    return kind | (first << 8) | (second << 16) | (third << 24)


def field(code: i64, number: i64) -> i64:
    """A field of an action, from 1."""
    return (code >> (8 * number)) & 0xFF
