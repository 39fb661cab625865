"""The setup of a round: dealing the four rows, the flipped card that decides the mode, and the four
piles."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.duel_edged_sword.card_heap import (
    LOGICAL_MASK,
    SINGLES_MASK,
    face_at,
    heap_size,
)
from games.engines.duel_edged_sword.cards import (
    COMPLETE_COUNT,
    FALSE_KIND,
    NO_CARD,
    SINGLE_KIND_COUNT,
    TRUE_KIND,
    card_code,
    kind_of,
)
from games.engines.duel_edged_sword.rows import RIGHT, ROW_COUNT
from games.engines.duel_edged_sword.table_state import (
    COLLABORATIVE,
    COMBATIVE,
    MODE_NAMES,
    SEAT_COUNT,
    TEAMS,
    SwordTable,
)

CARDS_PER_ROW: Final[i64] = 5
SHORT_PILE_SIZE: Final[i64] = 13


def deal_round(table: SwordTable, rng: Rng) -> None:
    """Gather all cards and deal the next round."""
    table.round += 1
    table.flipped = NO_CARD
    table.clear_round()
    lay_rows(table, rng)
    flip_mode_card(table, rng)
    deal_piles(table)


def lay_rows(table: SwordTable, rng: Rng) -> None:
    """Deal five cards to each row; a card that does not fit is skipped and shuffled back later."""
    skipped: list[i64] = []
    for row in range(ROW_COUNT):
        while table.rows.sizes[row] < CARDS_PER_ROW:
            face = table.draw_card(rng)
            if can_deal_to_row(table, row, face):
                table.rows.lay(row, RIGHT, face)
            else:
                skipped.append(face)
    for face in skipped:
        table.return_to_unseen(face)  # R2
    if table.is_recording_news:
        laid = [[card_code(face) for face in table.rows.cells_of(row)] for row in range(ROW_COUNT)]
        facts = {
            "round": int(table.round),
            "rows": laid,
            "skipped": [card_code(f) for f in skipped],
        }
        table.add_news("dealt", table.leader, facts)


def can_deal_to_row(table: SwordTable, row: i64, face: i64) -> bool:
    """Whether the card may be dealt to the row: no Single twice, at most one True or False (R1)."""
    kind = kind_of(face)
    if kind < SINGLE_KIND_COUNT:
        return kind < 0 or not table.rows.has_face_up(row, kind)
    return not (table.rows.has_face_up(row, TRUE_KIND) or table.rows.has_face_up(row, FALSE_KIND))


def flip_mode_card(table: SwordTable, rng: Rng) -> None:
    """Flip the card that decides the mode of the round; it takes no part in it."""
    completes, kinds = table.unseen_completes, table.unseen_kinds
    if table.mode_rule == COMBATIVE:  # R6: flip until the card fixes the right mode
        completes, kinds = 0, kinds & SINGLES_MASK
    elif table.mode_rule == COLLABORATIVE:
        kinds = 0
    elif table.mode_rule == TEAMS:
        completes, kinds = 0, kinds & LOGICAL_MASK
    table.flipped = face_at(completes, kinds, rng.below(heap_size(completes, kinds)))
    table.remove_from_unseen(table.flipped)
    table.mode = mode_of(table.flipped)
    if table.is_recording_news:
        facts = {"card": card_code(table.flipped), "mode": MODE_NAMES[table.mode]}
        table.add_news("flipped", table.leader, facts)


def mode_of(face: i64) -> i64:
    """The mode that a flipped card selects."""
    if face < COMPLETE_COUNT:
        return COLLABORATIVE
    return COMBATIVE if kind_of(face) < SINGLE_KIND_COUNT else TEAMS


def deal_piles(table: SwordTable) -> None:
    """Deal all cards as evenly as possible (R3), or thirteen to each player (R4)."""
    each = table.unseen // SEAT_COUNT if table.deals_all else SHORT_PILE_SIZE
    for seat in range(SEAT_COUNT):
        table.piles[seat] = each
    if table.deals_all:
        for step in range(table.unseen % SEAT_COUNT):
            seat = (table.leader + 2 * step) % SEAT_COUNT
            table.piles[seat] = table.piles[seat] + 1
