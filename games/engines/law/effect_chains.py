"""Chains of effects: piles that run out, Laws that a card sets off, and their order.

A chain is all that follows from one action. Within it a card sets off the same Law at most once,
and an event happens at most once, so every chain ends.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, count, has, lowest
from games.engines.common.playing_cards import card_code
from games.engines.law.action_numbers import (
    TASK_CONTRIBUTE,
    TASK_DRAW,
    TASK_EVENT,
    TASK_FIRE,
    TASK_GRANT,
    TASK_ORDER,
    encode_subject,
)
from games.engines.law.card_moves import LawTable
from games.engines.law.laws_in_force import EVENT_CARDS, apply_event

CONTRIBUTION_SIZE: Final[i64] = 2  # cards


# -- piles that run out -------------------------------------------------------------------------


def settle_piles(table: LawTable, rng: Rng) -> None:
    """Lay out as many discard piles as the Laws require, and refill piles that have run out."""
    lay_out_piles(table)
    reshuffle(table)
    for index in range(len(table.discards)):
        if len(table.discards[index]) == 0 and not table.is_draw_pile_empty():
            replenish_discard_pile(table, index + 1, rng)
            reshuffle(table)
    show_top(table, rng)
    if table.is_draw_pile_empty() and not table.has_contributed:  # R13
        ask_for_contributions(table)


def ask_for_contributions(table: LawTable) -> None:
    """Make every player with cards put some into the empty draw pile."""
    table.has_contributed = True
    for seat in range(table.seats):
        if table.hands[seat] != 0:
            table.agenda.push(TASK_CONTRIBUTE, table.turn, encode_subject(CONTRIBUTION_SIZE))
            return


def lay_out_piles(table: LawTable) -> None:
    """Lay out as many discard piles as any player may use."""
    wanted: i64 = 1
    for seat in range(table.seats):
        wanted = max(wanted, table.parameters[seat].piles)
    while len(table.discards) < wanted:  # R36
        table.discards.append(vec[i64]())
    while len(table.discards) > wanted:  # R37
        merge_piles(table)


def merge_piles(table: LawTable) -> None:
    """Put the last discard pile under the one before it."""
    under = table.discards.pop()
    above = table.discards[len(table.discards) - 1]
    for card in above:
        under = append(under, card)
    table.discards[len(table.discards) - 1] = under


def reshuffle(table: LawTable) -> None:
    """If the draw pile has run out, rebuild it from the trash and all discards but the top ones."""
    if not table.is_draw_pile_empty():
        return
    cards = table.trash
    table.learn(table.all_viewers(), table.trash)  # discards stay known to viewers who knew them
    table.trash = 0
    for index in range(len(table.discards)):
        pile = table.discards[index]
        if len(pile) > 1:
            for card in pile[:-1]:
                cards |= bit(card)
            table.discards[index] = pile[-1:]
    table.pile = cards
    if cards != 0 and table.is_recording_news:
        table.add_news("reshuffled", table.turn, {"count": int(count(cards))})


def replenish_discard_pile(table: LawTable, pile: i64, rng: Rng) -> None:
    """Start a discard pile with the top card of the draw pile."""
    seen_by = table.discard_pile_viewers() | table.draw_pile_viewers()
    card = table.take_top_card_seen_by(seen_by, rng)
    table.put_on_pile(card, pile, seen_by)
    table.add_card_news("replenished", table.turn, {"pile": int(pile)}, card, seen_by)


def show_top(table: LawTable, rng: Rng) -> None:
    """If any viewer sees the draw pile face up, make sure that its top card is fixed."""
    watchers = table.draw_pile_viewers()
    if watchers == 0 or table.is_draw_pile_empty():
        return
    if len(table.stack) == 0:
        card = table.take_top_card_seen_by(watchers, rng)
        table.stack = append(table.stack, card)
    table.learn(watchers, bit(table.stack[len(table.stack) - 1]))


def update_knowledge(table: LawTable) -> None:
    """Let all viewers learn the visible cards before a seat decides."""
    faces: i64 = 0
    tops: i64 = 0
    for cards in table.discards:
        for card in cards:
            faces |= bit(card)
        if len(cards) > 0:
            tops |= bit(cards[len(cards) - 1])
    learn_discards(table, faces, tops)
    for seat in range(table.seats):
        if table.has_open_hand(seat):
            table.learn(table.all_viewers(), table.hands[seat])


def learn_discards(table: LawTable, faces: i64, tops: i64) -> None:
    """Viewers who see the faces of the discard piles know all of them; others may know the tops."""
    for viewer in range(table.seats + 1):
        if not table.parameters[viewer].is_blind:
            table.known_cards[viewer] = table.known_cards[viewer] | faces
        elif table.parameters[viewer].topping != 0:  # R35
            table.known_cards[viewer] = table.known_cards[viewer] | tops


# -- drawing and discarding ---------------------------------------------------------------------


def draw_cards(table: LawTable, seat: i64, number: i64, rng: Rng) -> None:
    """Draw this number of cards, or as many as there are."""
    if number == 0 or table.is_draw_pile_empty():
        return
    if number > 1:
        table.agenda.push(TASK_DRAW, seat, encode_subject(number - 1))
    among: i64 = table.pile if len(table.stack) == 0 else 0
    seen_by = table.transfer_viewers(seat, seat) | table.draw_pile_viewers()
    card = table.take_top_card(rng)
    laws = add_triggers(table, seat, card, True)
    if laws != 0:
        seen_by = table.all_viewers()  # R61
    table.lose_sight(among, among & bit(card), seen_by)
    table.add_to_hand(seat, card, seen_by)
    if table.is_recording_news:
        known_to = seen_by
        for viewer in range(table.seats + 1):
            if has(table.known_cards[viewer], card):
                known_to |= bit(viewer)
        table.add_card_news("drew", seat, {}, card, known_to)


def discard_card(table: LawTable, seat: i64, card: i64, pile: i64) -> None:
    """Discard a card, seen by all."""
    table.lay_from_hand(seat, card, pile)
    if table.is_recording_news:
        table.add_news("discarded", seat, {"card": card_code(card), "pile": int(pile)})
    add_triggers(table, seat, card, False)


def add_triggers(table: LawTable, seat: i64, card: i64, is_drawn: bool) -> i64:
    """Record the Laws that a drawn or discarded card sets off, and return them as a set."""
    terms = table.parameters[seat]
    laws = terms.drawn_laws if is_drawn else terms.discarded_laws
    cards = terms.drawn_cards if is_drawn else terms.discarded_cards
    found: i64 = 0
    for index in range(len(laws)):
        if has(cards[index], card) and not has_fired(table, laws[index], card):  # R29
            found |= bit(laws[index])
            table.fired = append(table.fired, (laws[index] << 8) | card)
    if found != 0:
        table.pending_triggers = append(table.pending_triggers, (seat << 8) | card)
        table.pending_trigger_laws = append(table.pending_trigger_laws, found)
    return found


def has_fired(table: LawTable, law: i64, card: i64) -> bool:
    """Whether this card has set off this Law in this chain."""
    for fired in table.fired:
        if fired == (law << 8) | card:
            return True
    return False


# -- Laws that were set off -----------------------------------------------------------------------


def serve_next_trigger(table: LawTable) -> None:
    """Turn to the card that has waited longest, and to one of the Laws that it has set off."""
    seat = table.pending_triggers[0] >> 8
    laws = table.pending_trigger_laws[0] & table.parameters[seat].laws  # R59
    table.pending_trigger_laws[0] = laws
    if laws == 0:
        table.pending_triggers, _ = pop(table.pending_triggers, 0)
        table.pending_trigger_laws, _ = pop(table.pending_trigger_laws, 0)
    elif count(laws) == 1:
        apply_law(table, seat, lowest(laws))
    else:
        table.agenda.push(TASK_ORDER, seat)  # R28


def apply_law(table: LawTable, seat: i64, law: i64) -> None:
    """Schedule one of the waiting Laws as the next."""
    table.pending_trigger_laws[0] = table.pending_trigger_laws[0] & ~bit(law)
    if table.is_recording_news:
        facts = {"law": card_code(law), "card": card_code(table.pending_triggers[0] & 0xFF)}
        table.add_news("applied", seat, facts)
    table.agenda.push(TASK_FIRE, seat, encode_subject(0, -1, law))


# -- new Laws -------------------------------------------------------------------------------------


def collect_law(table: LawTable, seat: i64, card: i64) -> None:
    """Make a card a Law; an event happens before anything else."""
    table.enact(seat, card)
    if has(EVENT_CARDS, card):
        table.agenda.push(TASK_EVENT, seat, encode_subject(0, -1, card))  # R50


def grant_laws(table: LawTable, seat: i64, number: i64, rng: Rng) -> None:
    """Make this number of cards from the draw pile a player's Laws."""
    if number == 0 or table.is_draw_pile_empty():
        return
    if number > 1:
        table.agenda.push(TASK_GRANT, seat, encode_subject(number - 1))
    card = table.take_top_card(rng)
    if table.is_recording_news:
        table.add_news("granted", seat, {"card": card_code(card)})
    collect_law(table, seat, card)


def run_event(table: LawTable, seat: i64, card: i64) -> None:
    """Run an event, unless it has happened in this chain."""
    if has(table.happened, card):  # R65
        return
    table.happened |= bit(card)
    if table.is_recording_news:
        table.add_news("event", seat, {"card": card_code(card)})
    apply_event(table, seat, card)


def end_chain(table: LawTable) -> None:
    """End the chain: anything that follows belongs to a new one."""
    table.fired = vec[i64]()
    table.happened = 0
    table.has_contributed = False
