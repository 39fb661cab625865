"""Actions encoded as integers for the rules: a seat's actions, and the tasks on the agenda."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tabularium_engines.duel_of_law.laws.clause_codes import IS

# Tasks; each waits for a seat.
TASK_LAY: Final[i64] = 0  # lay a card, or, at the beginning of a turn, draw six
TASK_CONTINUE: Final[i64] = 1  # a card was laid: lay another one, or finish
TASK_QUESTION: Final[i64] = 2  # give a new branch its law, or duel; subject: the line

# Actions: the kind in the lowest eight bits, then one field in each following eight.
PLACE: Final[i64] = 0  # card, row + 128, column + 128
NAME: Final[i64] = 1  # card, feature, value
MORE: Final[i64] = 2
FINISH: Final[i64] = 3
CLAIM: Final[i64] = 4  # a clause: feature, pattern, value, direction
LEAVE: Final[i64] = 5
TAKE_BACK: Final[i64] = 6
DRAW_SIX: Final[i64] = 7
PASS: Final[i64] = 8
UNDO: Final[i64] = 9  # since version 2


def encode_place(card: i64, place: i64) -> i64:
    """The action that lays a card at a place."""
    return PLACE | (card << 8) | ((place >> 8) << 16) | ((place & 0xFF) << 24)


def card_in(code: i64) -> i64:
    """The card that an action names."""
    return (code >> 8) & 0xFF


def place_in(code: i64) -> i64:
    """The place where an action lays its card."""
    return ((code >> 16) & 0xFF) << 8 | ((code >> 24) & 0xFF)


def encode_name(card: i64, clause: i64) -> i64:
    """The action that names a joker's value, which a clause states."""
    return NAME | (card << 8) | ((clause & 0xFF) << 16) | (((clause >> 16) & 0xFF) << 24)


def name_clause_in(code: i64) -> i64:
    """The clause that states a joker's value."""
    return ((code >> 16) & 0xFF) | (IS << 8) | (((code >> 24) & 0xFF) << 16)


def encode_claim(clause: i64) -> i64:
    """The action that adds this clause to a law."""
    return CLAIM | (clause << 8)


def clause_in(code: i64) -> i64:
    """The clause of a claim."""
    return code >> 8


def encode_question(place: i64, axis: i64) -> i64:
    """The subject of a task that asks about the line through a place."""
    return place << 1 | axis
