"""The setup of a round: the deal of the rows, the flipped card, and the deal of the piles."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.duel_edged_sword import card_counts, cards
from tabularium_engines.duel_edged_sword.card_counts import LOGICAL_MASK, SINGLES_MASK
from tabularium_engines.duel_edged_sword.match_scoring import (
    COLLABORATIVE,
    COMBATIVE,
    DEAL_ALL,
    TEAMS,
)
from tabularium_engines.duel_edged_sword.players import SEAT_COUNT, Players
from tabularium_engines.duel_edged_sword.rows import RIGHT, ROW_COUNT, Rows

CARDS_PER_ROW: Final[i64] = 5
SHORT_PILE_SIZE: Final[i64] = 13
SET_ASIDE_COUNT: Final[i64] = 10  # cards that go into no pile then
# R6: by the index in MODE_NAMES, the cards that may be flipped
FLIPPED_COMPLETES: Final = vec[i64]([0, card_counts.ALL_COMPLETES, 0, card_counts.ALL_COMPLETES])
FLIPPED_KINDS: Final = vec[i64]([SINGLES_MASK, 0, LOGICAL_MASK, SINGLES_MASK | LOGICAL_MASK])


def lay_rows(rows: Rows, players: Players, rng: Rng) -> list[i64]:
    """Deal five cards to each row; the cards that did not fit, which are shuffled back."""
    skipped: list[i64] = []
    for row in range(ROW_COUNT):
        while rows.sizes[row] < CARDS_PER_ROW:
            face = players.draw(rng)
            if can_deal_to_row(rows, row, face):
                rows.lay(row, RIGHT, face)
            else:
                skipped.append(face)
    for face in skipped:
        players.put_back(face)  # R2
    return skipped


def can_deal_to_row(rows: Rows, row: i64, face: i64) -> bool:
    """Whether the card may be dealt to the row: no Single twice, at most one True or False (R1)."""
    kind = cards.kind_of(face)
    if kind < cards.SINGLE_KIND_COUNT:
        return kind < 0 or not rows.has_face_up(row, kind)
    return not (rows.has_face_up(row, cards.TRUE_KIND) or rows.has_face_up(row, cards.FALSE_KIND))


def flip_mode_card(players: Players, mode_rule: i64, rng: Rng) -> i64:
    """Flip the card that decides the mode of the round; it takes no part in it."""
    completes = players.unseen_completes & FLIPPED_COMPLETES[mode_rule]
    return players.draw_among(completes, players.unseen_kinds & FLIPPED_KINDS[mode_rule], rng)


def mode_of(flipped: i64) -> i64:
    """The mode that a flipped card selects."""
    if flipped < cards.COMPLETE_COUNT:
        return COLLABORATIVE
    return COMBATIVE if cards.kind_of(flipped) < cards.SINGLE_KIND_COUNT else TEAMS


def deal_piles(players: Players, deal: i64, leader: i64) -> None:
    """Deal all unseen cards as evenly as possible (R3), or thirteen to each player (R4)."""
    each = players.unseen // SEAT_COUNT if deal == DEAL_ALL else SHORT_PILE_SIZE
    players.piles = vec[i64]([each] * SEAT_COUNT)
    if deal == DEAL_ALL:
        for step in range(players.unseen % SEAT_COUNT):
            seat = (leader + 2 * step) % SEAT_COUNT
            players.piles[seat] = players.piles[seat] + 1
