"""The Laws in force, and the players they bind. Only this module iterates over the active Laws."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.common.bits import bit, has
from games.engines.common.playing_cards import CARD_CODES
from games.engines.law.card_moves import LawTable
from games.engines.law.cards import CARDS_IN_TABLE_ORDER
from games.engines.law.law_base import Law
from games.engines.law.laws import LAWS
from games.engines.law.rule_parameters import RuleParameters

_LAW_BY_CODE: Final = {law.code: law for law in LAWS}
LAW_BY_CARD: Final[list[Law]] = [_LAW_BY_CODE[code] for code in CARD_CODES]  # by card
EVENT_CARDS: Final[i64] = sum(bit(card) for card in range(52) if LAW_BY_CARD[card].is_event)


def update_parameters(table: LawTable) -> None:
    """Recompute the parameters that the collected Laws give each player and an onlooker."""
    table.has_stale_parameters = False
    everybody = parameters_under(table.unbound_laws() & ~EVENT_CARDS)  # R16
    for viewer in range(table.seats + 1):
        own = table.laws_binding(viewer) & ~EVENT_CARDS
        table.parameters[viewer] = everybody if own == everybody.laws else parameters_under(own)


def parameters_under(laws: i64) -> RuleParameters:
    """The parameters that a set of Laws gives a player bound by all of them."""
    terms = RuleParameters()
    terms.laws = laws
    found = [LAW_BY_CARD[card] for card in CARDS_IN_TABLE_ORDER if has(terms.laws, card)]
    for law in found:
        if law.is_doubling:
            terms.has_doubled_numbers = True
    for law in found:
        law.amend(terms, law.number_under(terms))
    for card in CARDS_IN_TABLE_ORDER:  # only now is it known which suits are the same
        if has(terms.laws, card):
            terms.add_triggers(
                card,
                LAW_BY_CARD[card].draw_triggers(terms),
                LAW_BY_CARD[card].discard_triggers(terms),
            )
    return terms


def fire_law(table: LawTable, seat: i64, law: i64) -> None:
    """Run the effect of a Law that `seat` has set off."""
    LAW_BY_CARD[law].fire(table, seat, LAW_BY_CARD[law].number_under(table.parameters[seat]))


def apply_event(table: LawTable, seat: i64, law: i64) -> None:
    """Run the event that `seat` has just collected."""
    LAW_BY_CARD[law].apply_event(table, seat, LAW_BY_CARD[law].number_under(table.parameters[seat]))
