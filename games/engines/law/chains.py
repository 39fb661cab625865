"""What follows from one card: piles that run out, Laws that a card sets off, and their order.

A chain is all that follows from one action. In it a card sets off the same Law once at most, and an
event happens once at most, so that every chain ends.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, count, has, lowest
from games.engines.common.french import code
from games.engines.law.force import EVENTS, happen
from games.engines.law.table import LawTable
from games.engines.law.tasks import (
    CONTRIBUTE,
    DRAW,
    FIRE,
    GRANT,
    HAPPEN,
    ORDER,
    about,
)

CONTRIBUTION: Final[i64] = 2  # cards


# -- piles that run out -------------------------------------------------------------------------


def settle_piles(table: LawTable, rng: Rng) -> None:
    """Lay out as many discard piles as there are to be, and fill what has run out."""
    lay_out_piles(table)
    reshuffle(table)
    for index in range(len(table.discards)):
        if len(table.discards[index]) == 0 and not table.is_pile_empty():
            replenish(table, index + 1, rng)
            reshuffle(table)
    show_top(table, rng)
    if table.is_pile_empty() and not table.has_contributed:  # R13
        ask_for_contributions(table)


def ask_for_contributions(table: LawTable) -> None:
    """Whoever has cards has to put some into the empty draw pile."""
    table.has_contributed = True
    for seat in range(table.seats):
        if table.hands[seat] != 0:
            table.agenda.push(CONTRIBUTE, table.turn, about(CONTRIBUTION))
            return


def lay_out_piles(table: LawTable) -> None:
    """As many discard piles as anybody may use."""
    wanted: i64 = 1
    for seat in range(table.seats):
        wanted = max(wanted, table.terms[seat].piles)
    while len(table.discards) < wanted:  # R36
        table.discards.append(vec[i64]())
    while len(table.discards) > wanted:  # R37
        merge_piles(table)


def merge_piles(table: LawTable) -> None:
    """The last discard pile goes under the one before it."""
    under = table.discards.pop()
    above = table.discards[len(table.discards) - 1]
    for card in above:
        under = append(under, card)
    table.discards[len(table.discards) - 1] = under


def reshuffle(table: LawTable) -> None:
    """If the draw pile has run out, the trash and all discards but the tops become it."""
    if not table.is_pile_empty():
        return
    cards = table.trash
    table.learn(table.everybody(), table.trash)  # the rest: whoever knew a card still does
    table.trash = 0
    for index in range(len(table.discards)):
        pile = table.discards[index]
        if len(pile) > 1:
            for card in pile[:-1]:
                cards |= bit(card)
            table.discards[index] = pile[-1:]
    table.pile = cards
    if cards != 0 and table.listening:
        table.tell("reshuffled", table.turn, {"count": int(count(cards))})


def replenish(table: LawTable, pile: i64, rng: Rng) -> None:
    """The top card of the draw pile starts a discard pile."""
    seen_by = table.sighted() | table.watchers()
    card = table.pull_for(seen_by, rng)
    table.put_on_pile(card, pile, seen_by)
    table.tell_card("replenished", table.turn, {"pile": int(pile)}, card, seen_by)


def show_top(table: LawTable, rng: Rng) -> None:
    """If somebody sees the draw pile from its face, there is a card on top of it."""
    watchers = table.watchers()
    if watchers == 0 or table.is_pile_empty():
        return
    if len(table.stack) == 0:
        card = table.pull_for(watchers, rng)
        table.stack = append(table.stack, card)
    table.learn(watchers, bit(table.stack[len(table.stack) - 1]))


def look(table: LawTable) -> None:
    """Everybody sees what is to be seen before somebody decides."""
    faces: i64 = 0
    tops: i64 = 0
    for cards in table.discards:
        for card in cards:
            faces |= bit(card)
        if len(cards) > 0:
            tops |= bit(cards[len(cards) - 1])
    see_discards(table, faces, tops)
    for seat in range(table.seats):
        if table.is_open(seat):
            table.learn(table.everybody(), table.hands[seat])


def see_discards(table: LawTable, faces: i64, tops: i64) -> None:
    """Who sees the discard piles sees all of them; some may know the tops of hidden ones."""
    for viewer in range(table.seats + 1):
        if not table.terms[viewer].is_blind:
            table.knows[viewer] = table.knows[viewer] | faces
        elif table.terms[viewer].topping != 0:  # R35
            table.knows[viewer] = table.knows[viewer] | tops


# -- drawing and discarding ---------------------------------------------------------------------


def draw(table: LawTable, seat: i64, number: i64, rng: Rng) -> None:
    """Draw so many cards, as far as there are any."""
    if number == 0 or table.is_pile_empty():
        return
    if number > 1:
        table.agenda.push(DRAW, seat, about(number - 1))
    among: i64 = table.pile if len(table.stack) == 0 else 0
    seen_by = table.witnesses(seat, seat) | table.watchers()
    card = table.pull(rng)
    laws = set_off(table, seat, card, True)
    if laws != 0:
        seen_by = table.everybody()  # R61
    table.lose_sight(among, among & bit(card), seen_by)
    table.receive(seat, card, seen_by)
    if table.listening:
        known_to = seen_by
        for viewer in range(table.seats + 1):
            if has(table.knows[viewer], card):
                known_to |= bit(viewer)
        table.tell_card("drew", seat, {}, card, known_to)


def discard(table: LawTable, seat: i64, card: i64, pile: i64) -> None:
    """Discard a card, for all to see."""
    table.put_down(seat, card, pile)
    if table.listening:
        table.tell("discarded", seat, {"card": code(card), "pile": int(pile)})
    set_off(table, seat, card, False)


def set_off(table: LawTable, seat: i64, card: i64, is_drawn: bool) -> i64:
    """Note which Laws a card sets off that is drawn or discarded; the set of these."""
    terms = table.terms[seat]
    laws = terms.drawn_laws if is_drawn else terms.discarded_laws
    cards = terms.drawn_cards if is_drawn else terms.discarded_cards
    found: i64 = 0
    for index in range(len(laws)):
        if has(cards[index], card) and not has_fired(table, laws[index], card):  # R29
            found |= bit(laws[index])
            table.fired = append(table.fired, (laws[index] << 8) | card)
    if found != 0:
        table.waiting = append(table.waiting, (seat << 8) | card)
        table.waiting_laws = append(table.waiting_laws, found)
    return found


def has_fired(table: LawTable, law: i64, card: i64) -> bool:
    """Has this card set off this Law in this chain?"""
    for fired in table.fired:
        if fired == (law << 8) | card:
            return True
    return False


# -- what was set off -----------------------------------------------------------------------------


def serve_next(table: LawTable) -> None:
    """Turn to the card that has waited longest, and to one of the Laws that it has set off."""
    seat = table.waiting[0] >> 8
    laws = table.waiting_laws[0] & table.terms[seat].laws  # R59
    table.waiting_laws[0] = laws
    if laws == 0:
        table.waiting, _ = pop(table.waiting, 0)
        table.waiting_laws, _ = pop(table.waiting_laws, 0)
    elif count(laws) == 1:
        apply_law(table, seat, lowest(laws))
    else:
        table.agenda.push(ORDER, seat)  # R28


def apply_law(table: LawTable, seat: i64, law: i64) -> None:
    """One of the Laws that wait is next."""
    table.waiting_laws[0] = table.waiting_laws[0] & ~bit(law)
    if table.listening:
        facts = {"law": code(law), "card": code(table.waiting[0] & 0xFF)}
        table.tell("applied", seat, facts)
    table.agenda.push(FIRE, seat, about(0, -1, law))


# -- Laws that arrive -----------------------------------------------------------------------------


def arrive(table: LawTable, seat: i64, card: i64) -> None:
    """A card becomes a Law; an event happens before anything else."""
    table.enact(seat, card)
    if has(EVENTS, card):
        table.agenda.push(HAPPEN, seat, about(0, -1, card))  # R50


def grant(table: LawTable, seat: i64, number: i64, rng: Rng) -> None:
    """So many cards from the draw pile become a player's Laws."""
    if number == 0 or table.is_pile_empty():
        return
    if number > 1:
        table.agenda.push(GRANT, seat, about(number - 1))
    card = table.pull(rng)
    if table.listening:
        table.tell("granted", seat, {"card": code(card)})
    arrive(table, seat, card)


def let_happen(table: LawTable, seat: i64, card: i64) -> None:
    """An event happens, unless it has done so in this chain."""
    if has(table.happened, card):  # R65
        return
    table.happened |= bit(card)
    if table.listening:
        table.tell("event", seat, {"card": code(card)})
    happen(table, seat, card)


def end_chain(table: LawTable) -> None:
    """Nothing follows any more: what comes next is a new chain."""
    table.fired = vec[i64]()
    table.happened = 0
    table.has_contributed = False
