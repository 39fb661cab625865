"""How does a round begin? Four rows, a card that says who plays with whom, and four piles."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.duel_edged_sword.cards import (
    COMPLETES,
    FALSE,
    NO_CARD,
    SINGLES,
    TRUE,
    code,
    kind_of,
)
from games.engines.duel_edged_sword.heaps import LOGICAL_PART, SINGLES_PART, at, size
from games.engines.duel_edged_sword.rows import RIGHT, ROWS
from games.engines.duel_edged_sword.table import (
    COLLABORATIVE,
    COMBATIVE,
    MODE_NAMES,
    SEATS,
    TEAMS,
    SwordTable,
)

ROW_CARDS: Final[i64] = 5
THIRTEEN: Final[i64] = 13


def deal(table: SwordTable, rng: Rng) -> None:
    """Gather all cards and deal the next round."""
    table.round += 1
    table.flipped = NO_CARD
    table.clear()
    lay_rows(table, rng)
    flip(table, rng)
    deal_piles(table)


def lay_rows(table: SwordTable, rng: Rng) -> None:
    """Five cards to each row; what does not suit a row is skipped, and shuffled back later."""
    skipped: list[i64] = []
    for row in range(ROWS):
        while table.rows.sizes[row] < ROW_CARDS:
            face = table.draw(rng)
            if suits(table, row, face):
                table.rows.lay(row, RIGHT, face)
            else:
                skipped.append(face)
    for face in skipped:
        table.put_back(face)  # R2
    if table.listening:
        laid = [[code(face) for face in table.rows.listed(row)] for row in range(ROWS)]
        facts = {"round": int(table.round), "rows": laid, "skipped": [code(f) for f in skipped]}
        table.tell("dealt", table.leader, facts)


def suits(table: SwordTable, row: i64, face: i64) -> bool:
    """May the card be dealt to the row? No Single twice, and one True or False at most (R1)."""
    kind = kind_of(face)
    if kind < SINGLES:
        return kind < 0 or not table.rows.has_up(row, kind)
    return not (table.rows.has_up(row, TRUE) or table.rows.has_up(row, FALSE))


def flip(table: SwordTable, rng: Rng) -> None:
    """Turn over the card that decides how the round is played; it takes no part in it."""
    completes, kinds = table.unseen_completes, table.unseen_kinds
    if table.mode_rule == COMBATIVE:  # R6: flipped again until the card is of the right sort
        completes, kinds = 0, kinds & SINGLES_PART
    elif table.mode_rule == COLLABORATIVE:
        kinds = 0
    elif table.mode_rule == TEAMS:
        completes, kinds = 0, kinds & LOGICAL_PART
    table.flipped = at(completes, kinds, rng.below(size(completes, kinds)))
    table.see(table.flipped)
    table.mode = mode_of(table.flipped)
    if table.listening:
        facts = {"card": code(table.flipped), "mode": MODE_NAMES[table.mode]}
        table.tell("flipped", table.leader, facts)


def mode_of(face: i64) -> i64:
    """How the flipped card says that the round is played."""
    if face < COMPLETES:
        return COLLABORATIVE
    return COMBATIVE if kind_of(face) < SINGLES else TEAMS


def deal_piles(table: SwordTable) -> None:
    """All cards as evenly as they go (R3), or thirteen to each (R4)."""
    each = table.unseen // SEATS if table.deals_all else THIRTEEN
    for seat in range(SEATS):
        table.piles[seat] = each
    if table.deals_all:
        for step in range(table.unseen % SEATS):
            seat = (table.leader + 2 * step) % SEATS
            table.piles[seat] = table.piles[seat] + 1
