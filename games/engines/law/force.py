"""Which Laws are in force, and for whom? The only module that goes through the active Laws."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.common.bits import bit, has
from games.engines.common.french import CODES
from games.engines.law.cards import TABLE
from games.engines.law.courts import HIGH
from games.engines.law.law import Law
from games.engines.law.laws import LOW
from games.engines.law.table import LawTable
from games.engines.law.terms import Terms

_BY_CODE: Final = {law.code: law for law in LOW + HIGH}
LAWS: Final[list[Law]] = [_BY_CODE[code] for code in CODES]  # by card
EVENTS: Final[i64] = sum(bit(card) for card in range(52) if LAWS[card].is_event)


def enforce(table: LawTable) -> None:
    """Work out anew what the collected Laws come to, for each player and for an onlooker."""
    table.is_amended = False
    everybody = terms_of(table.unbound_laws() & ~EVENTS)  # R16
    for viewer in range(table.seats + 1):
        own = table.laws_binding(viewer) & ~EVENTS
        table.terms[viewer] = everybody if own == everybody.laws else terms_of(own)


def terms_of(laws: i64) -> Terms:
    """What a set of Laws comes to for a player whom all of them bind."""
    terms = Terms()
    terms.laws = laws
    found = [LAWS[card] for card in TABLE if has(terms.laws, card)]
    for law in found:
        if law.is_doubling:
            terms.doubled = True
    for law in found:
        law.amend(terms, law.number_under(terms))
    for card in TABLE:  # once it is known which suits are the same
        if has(terms.laws, card):
            terms.set_off(card, LAWS[card].drawn(terms), LAWS[card].discarded(terms))
    return terms


def fire(table: LawTable, seat: i64, law: i64) -> None:
    """Let a Law that `seat` has set off do its work."""
    LAWS[law].fire(table, seat, LAWS[law].number_under(table.terms[seat]))


def happen(table: LawTable, seat: i64, law: i64) -> None:
    """Let an event happen for `seat`, who has just collected it."""
    LAWS[law].happen(table, seat, LAWS[law].number_under(table.terms[seat]))
