"""The cards of the Gnomon deck: 27 Completes, four Singles of each of nine kinds, ten Trues, ten
Falses. Cards of one face are interchangeable: a card is its face, and a heap counts the cards of
each face. The eleven faces that can match are also numbered by their kind, 0 … 10."""

from __future__ import annotations

from itertools import product
from typing import Final

from mypy_extensions import i64

COMPLETE_COUNT: Final[i64] = 27  # faces 0 … 26: pattern * 9 + colour * 3 + shape, one card each
SINGLE_KIND_COUNT: Final[i64] = 9  # kinds 0 … 8
TRUE_KIND: Final[i64] = 9  # the kinds after the Singles
FALSE_KIND: Final[i64] = 10
KIND_COUNT: Final[i64] = 11
CARD_COUNT: Final[i64] = 83
NO_CARD: Final[i64] = -1

PATTERNS: Final = ("filled", "partial", "hollow")
COLOURS: Final = ("red", "green", "blue")
SHAPES: Final = ("circle", "square", "triangle")
KIND_CODES: Final = (*PATTERNS, *COLOURS, *SHAPES, "true", "false")
FEATURES_OF_COMPLETES: Final = {
    "".join(name[0] for name in features).upper(): features
    for features in product(PATTERNS, COLOURS, SHAPES)
}
COMPLETE_CODES: Final = tuple(FEATURES_OF_COMPLETES)  # "FRC": the filled red circle
CARD_CODES: Final = (*COMPLETE_CODES, *KIND_CODES)  # by face
SORT_CODES: Final = ("complete", *KIND_CODES)  # the sorts that actions name


def kind_of(face: i64) -> i64:
    """The kind of a face; negative for a Complete, which matches nothing."""
    return face - COMPLETE_COUNT


def face_of(kind: i64) -> i64:
    """The face of a kind."""
    return kind + COMPLETE_COUNT


def sort_of(face: i64) -> i64:
    """The sort of a face, which alone decides where it may lie: 0 for a Complete, 1 + kind else."""
    return face - COMPLETE_COUNT + 1 if face >= COMPLETE_COUNT else 0


def is_logical(kind: i64) -> bool:
    """Whether the kind is True or False."""
    return kind >= TRUE_KIND


def opposite_kind(kind: i64) -> i64:
    """False for True, True for False."""
    return TRUE_KIND + FALSE_KIND - kind
