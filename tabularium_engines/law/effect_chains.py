"""Chains of effects: drawing and discarding, the Laws that cards set off, and events.

A chain is all that follows from one action. Within it a card sets off the same Law at most once,
and an event happens at most once, so every chain ends.
"""

from __future__ import annotations

from librt.vecs import append, pop
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.bits import bit, count, has, lowest
from tabularium_engines.common.playing_cards import card_code
from tabularium_engines.law import action_numbers as n
from tabularium_engines.law import card_knowledge as knowledge
from tabularium_engines.law import card_moves
from tabularium_engines.law.laws import EVENT_CARDS, LAW_BY_CARD, Effect
from tabularium_engines.law.table_state import LawTable

# -- drawing and discarding -----------------------------------------------------------------------


def draw_cards(state: LawTable, seat: i64, number: i64, rng: Rng) -> None:
    """Draw this number of cards, or as many as there are."""
    piles = state.piles
    if number == 0 or piles.is_draw_pile_empty():
        return
    if number > 1:
        state.agenda.push(n.TASK_DRAW, seat, n.encode_subject(number - 1))
    among = piles.possible_top_cards()
    seen_by = knowledge.transfer_viewers(state, seat, seat) | state.draw_pile_viewers
    card = piles.take_top(0, rng)
    laws = add_triggers(state, seat, card, True)
    if laws != 0:
        seen_by = state.all_viewers()  # R61
    knowledge.lose_sight_of_top(state, among, card, seen_by)
    card_moves.add_to_hand(state, seat, bit(card), seen_by)
    if state.is_recording_news:
        known_to = seen_by | knowledge.viewers_who_know(state, card)
        state.add_card_news("drew", seat, {}, card, known_to)


def discard_card(state: LawTable, seat: i64, card: i64, pile: i64) -> None:
    """Discard a card, seen by all."""
    card_moves.lay_from_hand(state, "discarded", seat, card, pile)
    add_triggers(state, seat, card, False)


def add_triggers(state: LawTable, seat: i64, card: i64, is_drawn: bool) -> i64:
    """Record the Laws that a drawn or discarded card sets off, and return them as a set."""
    chain = state.chain
    terms = state.parameters[seat]
    laws = terms.drawn_laws if is_drawn else terms.discarded_laws
    cards = terms.drawn_cards if is_drawn else terms.discarded_cards
    found: i64 = 0
    for index in range(len(laws)):
        if has(cards[index], card) and not chain.has_fired(laws[index], card):  # R29
            found |= bit(laws[index])
            chain.fired_pairs = append(chain.fired_pairs, (laws[index] << 8) | card)
    if found != 0:
        chain.waiting = append(chain.waiting, (seat << 8) | card)
        chain.waiting_laws = append(chain.waiting_laws, found)
    return found


# -- Laws that were set off -----------------------------------------------------------------------


def serve_next_trigger(state: LawTable) -> None:
    """Turn to the card that has waited longest, and to one of the Laws that it has set off."""
    chain = state.chain
    seat = chain.waiting[0] >> 8
    laws = chain.waiting_laws[0] & state.parameters[seat].laws  # R59
    chain.waiting_laws[0] = laws
    if laws == 0:
        chain.waiting, _ = pop(chain.waiting, 0)
        chain.waiting_laws, _ = pop(chain.waiting_laws, 0)
    elif count(laws) == 1:
        apply_law(state, seat, lowest(laws))
    else:
        state.agenda.push(n.TASK_ORDER, seat)  # R28


def apply_law(state: LawTable, seat: i64, law: i64) -> None:
    """Schedule one of the waiting Laws as the next."""
    chain = state.chain
    chain.waiting_laws[0] = chain.waiting_laws[0] & ~bit(law)
    if state.is_recording_news:
        facts = {"card": card_code(chain.waiting[0] & 0xFF)}
        state.add_news("applied", seat, facts | state.law_facts(seat, law, "law"))
    state.agenda.push(n.TASK_FIRE, seat, n.encode_subject(0, -1, law))


def run_effect(state: LawTable, effect: Effect | None, seat: i64, law: i64) -> None:
    """Run one of the effects of a Law for a seat, with the number that the Law has for it."""
    if effect is not None:
        effect(state, seat, LAW_BY_CARD[law].number_under(state.parameters[seat]))


# -- new Laws -------------------------------------------------------------------------------------


def collect_law(state: LawTable, seat: i64, card: i64) -> None:
    """Make a card a Law of a player; an event happens before anything else."""
    knowledge.lay_open(state, bit(card))
    state.laws[seat] = state.laws[seat] | bit(card)
    state.has_stale_parameters = True
    state.end.quiet = 0
    if has(EVENT_CARDS, card):
        state.agenda.push(n.TASK_EVENT, seat, n.encode_subject(0, -1, card))  # R50


def grant_laws(state: LawTable, seat: i64, number: i64, rng: Rng) -> None:
    """Make this number of cards from the draw pile a player's Laws."""
    if number == 0 or state.piles.is_draw_pile_empty():
        return
    if number > 1:
        state.agenda.push(n.TASK_GRANT, seat, n.encode_subject(number - 1))
    card = state.piles.take_top(0, rng)
    if state.is_recording_news:
        state.add_news("granted", seat, state.law_facts(seat, card))
    collect_law(state, seat, card)


def run_event(state: LawTable, seat: i64, card: i64) -> None:
    """Run an event, unless it has happened in this chain."""
    if has(state.chain.happened, card):  # R65
        return
    state.chain.happened |= bit(card)
    state.add_news("event", seat, {"card": card_code(card)})
    run_effect(state, LAW_BY_CARD[card].event, seat, card)
