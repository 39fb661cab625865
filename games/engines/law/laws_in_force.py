"""The Laws in force: the parameters that they give each player and an onlooker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mypy_extensions import i64

from games.engines.common.bits import has
from games.engines.law.cards import CARDS_IN_TABLE_ORDER
from games.engines.law.laws import EVENT_CARDS, LAW_BY_CARD
from games.engines.law.rule_parameters import RuleParameters

if TYPE_CHECKING:
    from games.engines.law.table_state import LawState


def update_parameters(state: LawState) -> None:
    """Recompute the parameters that the collected Laws give each player and an onlooker."""
    state.has_stale_parameters = False
    everybody = parameters_under(state.unbound_laws() & ~EVENT_CARDS)  # R16
    for viewer in range(state.seats + 1):
        own = state.laws_binding(viewer) & ~EVENT_CARDS
        state.parameters[viewer] = everybody if own == everybody.laws else parameters_under(own)


def parameters_under(laws: i64) -> RuleParameters:
    """The parameters that a set of Laws gives a player bound by all of them."""
    terms = RuleParameters()
    terms.laws = laws
    cards = [card for card in CARDS_IN_TABLE_ORDER if has(laws, card)]
    for card in cards:
        if LAW_BY_CARD[card].is_doubling:
            terms.has_doubled_numbers = True
    for card in cards:
        law = LAW_BY_CARD[card]
        if law.amend is not None:
            law.amend(terms, law.number_under(terms))
    for card in cards:  # only now is it known which suits are the same
        law = LAW_BY_CARD[card]
        if law.drawn is not None:
            terms.add_draw_triggers(card, law.drawn(terms))
        if law.discarded is not None:
            terms.add_discard_triggers(card, law.discarded(terms))
    return terms
