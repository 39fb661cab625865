"""The view of the table: all that a seat or an onlooker may know, without the hidden cards.
`imagine` makes a random state that would look exactly like a view."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import ONLOOKER_SEAT, Rng
from tabularium_engines.common.agenda import kind_of, seat_of, subject_of
from tabularium_engines.common.bits import bit, count, first_n, has, members
from tabularium_engines.common.playing_cards import CARD_CODES, CARD_NUMBERS, FULL_DECK
from tabularium_engines.common.public_fields import PublicFields, to_ints
from tabularium_engines.law import action_numbers as n
from tabularium_engines.law.actions import Card, Duty
from tabularium_engines.law.bill_combinations import NO_BILL, bill_actions
from tabularium_engines.law.cards import card_codes
from tabularium_engines.law.determinization import place_in_pile
from tabularium_engines.law.game_logic import LawState
from tabularium_engines.law.game_options import Options, V2Options, deck_of
from tabularium_engines.law.laws import update_parameters
from tabularium_engines.law.rulings import Rulings

Ending = Literal["", "laws", "straight_flush", "impossible", "stalemate", "too_long"]
Shape = Literal["kind", "straight", "flush", "straight_flush"]


@dataclass(frozen=True)
class Law:
    """A collected card; `bound` is the only player that it binds, if there is one."""

    card: Card  #: the card
    bound: int | None  #: the only player that it binds; null: all


@dataclass(frozen=True)
class Known:
    """Cards that the viewer is sure `seat` holds."""

    seat: int  #: who holds them
    cards: tuple[Card, ...]  #: these cards, in no order


@dataclass(frozen=True)
class Bill:
    """A Bill of which some cards are still to be laid."""

    shape: Shape  #: the kind of Bill
    lowest: (
        int  #: the next position of a straight: 0 is the low ace, 13 the high one; else the rank
    )
    suit: int  #: as a number: the first of its class
    cards: int  #: still to be laid
    hearts: int  #: how many of these must be hearts, at least


@dataclass(frozen=True)
class Task:
    """A task that the table still has to do; the last in the agenda comes first."""

    kind: str  #: what is to be done
    seat: int  #: who has to do it
    number: int = 0  #: how often, or how many
    other: int | None = None  #: the other player, if there is one
    card: Card | None = None  #: the card that it is about, if there is one


@dataclass(frozen=True)
class Trigger:
    """A card that has set off Laws, which wait to be run."""

    seat: int  #: whose card it is
    card: Card  #: the card
    laws: tuple[Card, ...]  #: the Laws that it has set off


@dataclass(frozen=True)
class Fired:
    """A Law that a card has set off, and cannot set off again before the chain ends."""

    law: Card  #: the Law
    card: Card  #: the card that set it off


@dataclass(frozen=True)
class Chain:
    """The consequences so far of the action in progress, or of the last action."""

    actor: int  #: the seat whose action it is
    fired: tuple[Fired, ...]  #: the Laws that have been set off
    happened: tuple[Card, ...]  #: events, which cannot happen again before the chain ends
    contributed: bool  #: whether contributions to the draw pile have been requested


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it; without a seat, as an onlooker does. A card that is None is one
    that the viewer does not know."""

    seat: int | None  #: the viewer's seat; null: an onlooker
    options: Options
    to_act: tuple[int, ...]  #: the seats that must act; empty when the game is over
    turn: int  #: the seat on turn
    takes: int  #: cards still to be taken at the start of the turn
    discards: int | None  #: cards still to be discarded at its end; None before that has begun
    duties: tuple[Duty, ...]  #: other duties owed at the end of the turn; empty before
    stolen: bool  #: whether the player on turn has revealed a hand this turn
    asked: int  #: how often the player on turn has asked
    hand: tuple[Card, ...]  #: the viewer's cards; empty for an onlooker
    hand_sizes: tuple[int, ...]  #: by seat: the number of cards in hand
    known: tuple[Known, ...]  #: cards in hands of others that the viewer is sure of
    laws: tuple[tuple[Law, ...], ...]  #: by seat
    raised: tuple[int, ...]  #: by seat: the additional Laws that events require
    needed: tuple[int, ...]  #: by seat: how many Laws win, all things considered
    sizes: tuple[tuple[int, int, int], ...]  #: by seat: of a kind, straight, flush; 0: no Bill
    draw_pile: int  #: how many cards, including those below
    draw_top: tuple[Card | None, ...]  #: cards whose places are fixed, the top last
    #: cards that the viewer is sure are in the draw pile, other than those that `draw_top` names
    draw_known: tuple[Card, ...]
    discard_piles: tuple[tuple[Card | None, ...], ...]  #: each with the top last
    face_down: bool  #: whether the discard piles show this viewer their backs
    face_up: bool  #: whether the draw pile shows this viewer its top card
    trash: tuple[Card, ...]  #: the cards in the trash
    removed: tuple[Card, ...]  #: the cards that are out of the game
    agenda: tuple[Task, ...]  #: the tasks that are still to be done, the next last
    bill: Bill | None  #: the Bill that is being laid; null if none is
    chosen: tuple[Card, ...]  #: the viewer's own sealed choice so far
    chosen_sizes: tuple[int, ...]  #: by seat
    triggers: tuple[Trigger, ...]  #: the next first
    chain: Chain  #: the consequences of the action so far
    quiet: int  #: turns since the last collection
    decisions: int  #: the number of decisions so far
    winners: tuple[int, ...]  #: the seats that win; empty before the end
    ending: Ending  #: how the game ended; null before the end

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.hand_sizes)


@dataclass(frozen=True)
class V2View(View):
    """The table as a seat or an onlooker sees it, with the options of this version."""

    options: V2Options


# the fields that a part of the state and its view have in common
_TABLE_FIELDS: Final = PublicFields(View)
_BILL_FIELDS: Final = PublicFields(Bill)
_CHAIN_FIELDS: Final = PublicFields(Chain)

# -- from the state -------------------------------------------------------------------------------


def v2_view(state: LawState, seat: int | None) -> V2View:
    """The view of `seat` (None: an onlooker) under version 2."""
    seen = view(state, seat)
    first = None if state.first < 0 else int(state.first)
    return V2View(**{**vars(seen), "options": V2Options(seen.options.deck, first)})


def view(state: LawState, seat: int | None) -> View:
    """The view of `seat` (None: an onlooker)."""
    viewer = int(state.seats) if seat is None else seat
    sure = state.known_cards[viewer]
    piles = state.piles
    return View(
        seat=seat,
        options=Options("whole" if state.deck == FULL_DECK else "introductory"),
        to_act=to_ints(members(state.to_act)),
        turn=int(state.turn),
        hand=() if seat is None else tuple(card_codes(state.hands[seat])),
        hand_sizes=to_ints(count(hand) for hand in state.hands),
        known=_known_view(state, sure),
        laws=tuple(_laws_view(state, owner) for owner in range(state.seats)),
        raised=to_ints(state.raised),
        needed=to_ints(state.laws_needed(owner) for owner in range(state.seats)),
        sizes=tuple(_bill_sizes(state, owner) for owner in range(state.seats)),
        draw_pile=int(count(piles.rest)) + len(piles.stack),
        draw_top=_row_view(piles.stack, sure),
        draw_known=tuple(card_codes(piles.rest & sure | state.unplaced_cards[viewer])),
        discard_piles=tuple(_row_view(pile, sure) for pile in piles.discarded),
        face_down=bool(state.parameters[viewer].is_blind),
        face_up=bool(state.parameters[viewer].sees_pile),
        agenda=tuple(_task_view(task) for task in state.agenda.tasks),
        bill=None if state.bill.shape == NO_BILL else Bill(**_BILL_FIELDS.show(state.bill)),
        chosen=() if seat is None else tuple(card_codes(state.chosen[seat])),
        chosen_sizes=to_ints(count(chosen) for chosen in state.chosen),
        triggers=_trigger_views(state),
        chain=_chain_view(state),
        **_TABLE_FIELDS.show(state.end),
        **_TABLE_FIELDS.show(state.progress),
        **_TABLE_FIELDS.show(piles),
    )


def _row_view(cards: Iterable[int], sure: int) -> tuple[Card | None, ...]:
    return tuple(CARD_CODES[card] if has(sure, card) else None for card in cards)


def _known_view(state: LawState, sure: int) -> tuple[Known, ...]:
    by_seat = ((seat, state.hands[seat] & sure) for seat in range(state.seats))
    return tuple(Known(seat, tuple(card_codes(cards))) for seat, cards in by_seat if cards)


def _laws_view(state: LawState, owner: int) -> tuple[Law, ...]:
    return tuple(Law(CARD_CODES[law], _bound_to(state, law)) for law in members(state.laws[owner]))


def _bound_to(state: LawState, law: int) -> int | None:
    return next((seat for seat in range(state.seats) if has(state.bound[seat], law)), None)


def _bill_sizes(state: LawState, seat: int) -> tuple[int, int, int]:
    terms = state.parameters[seat]
    possible = (
        {int(action) & 0xFF for action in bill_actions(state.cards_for_bills(), terms)}
        if state.rulings.counts_cards  # R17
        else range(n.BILL_KIND, n.BILL_KIND + n.BILL_SHAPE_COUNT)
    )
    kind, straight, flush = (
        int(terms.bill_size(shape))
        if int(n.BILL_KIND) + shape in possible and not has(terms.banned, shape)
        else 0
        for shape in range(n.BILL_SHAPE_COUNT)
    )
    return kind, straight, flush


def _task_view(task: int) -> Task:
    subject = subject_of(task)
    other, card = int(n.other_of(subject)), int(n.card_of(subject))
    return Task(
        kind=n.TASK_NAMES[kind_of(task)],
        seat=int(seat_of(task)),
        number=int(n.number_of(subject)),
        other=None if other < 0 else other,
        card=None if card < 0 else CARD_CODES[card],
    )


def _chain_view(state: LawState) -> Chain:
    pairs = state.chain.fired_pairs
    fired = tuple(Fired(CARD_CODES[pair >> 8], CARD_CODES[pair & 0xFF]) for pair in pairs)
    return Chain(fired=fired, **_CHAIN_FIELDS.show(state.chain))


def _trigger_views(state: LawState) -> tuple[Trigger, ...]:
    pairs = zip(state.chain.waiting, state.chain.waiting_laws, strict=True)
    return tuple(
        Trigger(int(waiting >> 8), CARD_CODES[waiting & 0xFF], tuple(card_codes(laws)))
        for waiting, laws in pairs
    )


# -- back to a state ------------------------------------------------------------------------------


def imagine(seen: View, rng: Rng, rulings: Rulings) -> LawState:
    """A state that would look like this view, with hidden cards placed at random."""
    state = LawState()
    state.init_table(seen.seats, deck_of(seen.options))
    state.rulings = rulings
    _restore_tasks(state, seen)
    state.laws = vec[i64](_card_set(law.card for law in laws) for laws in seen.laws)
    for law in (law for laws in seen.laws for law in laws):
        if law.bound is not None:
            state.bound[law.bound] |= bit(_number(law.card))
    state.raised = vec[i64](seen.raised)
    update_parameters(state)
    _place_hidden_cards(state, seen)
    state.determinize(ONLOOKER_SEAT if seen.seat is None else seen.seat, rng)
    return state


def _restore_tasks(state: LawState, seen: View) -> None:
    """Restore the turn, the remaining tasks and the consequences of the action so far."""
    state.to_act = sum(bit(seat) for seat in seen.to_act)
    state.turn = seen.turn
    for task in seen.agenda:
        other = -1 if task.other is None else task.other
        card = -1 if task.card is None else _number(task.card)
        subject = n.encode_subject(task.number, other, card)
        state.agenda.push(n.TASK_NAMES.index(task.kind), task.seat, subject)
    waiting = (trigger.seat << 8 | _number(trigger.card) for trigger in seen.triggers)
    state.chain.waiting = vec[i64](waiting)
    state.chain.waiting_laws = vec[i64](_card_set(trigger.laws) for trigger in seen.triggers)
    pairs = (_number(fired.law) << 8 | _number(fired.card) for fired in seen.chain.fired)
    state.chain.fired_pairs = vec[i64](pairs)
    _TABLE_FIELDS.restore(state.end, seen)
    _TABLE_FIELDS.restore(state.progress, seen)
    _TABLE_FIELDS.restore(state.piles, seen)
    _CHAIN_FIELDS.restore(state.chain, seen.chain)
    if seen.bill is not None:
        _BILL_FIELDS.restore(state.bill, seen.bill)


def _place_hidden_cards(state: LawState, seen: View) -> None:
    """Fill each hidden place with some card; the re-deal chooses which."""
    viewer = seen.seats if seen.seat is None else seen.seat
    rows = [seen.draw_top, *seen.discard_piles]
    in_pile = _card_set(seen.draw_known)
    sure = in_pile | _card_set(card for row in rows for card in row if card)
    for known in seen.known:
        state.hands[known.seat] = _card_set(known.cards)
        sure |= state.hands[known.seat]
    state.known_cards[viewer] = sure
    if seen.seat is not None:
        state.hands[seen.seat] = _card_set(seen.hand)
        state.chosen[seen.seat] = _card_set(seen.chosen)
    open_ = state.open_cards() | sure | _card_set(seen.hand)
    hidden = members(state.deck & ~open_)
    for seat in range(seen.seats):
        for _ in range(seen.hand_sizes[seat] - count(state.hands[seat])):
            state.hands[seat] |= bit(hidden.pop())
        if seat != seen.seat:  # the re-deal uses only the number
            state.chosen[seat] = first_n(seen.chosen_sizes[seat])
    state.piles.discarded = [_filled_row(row, hidden) for row in seen.discard_piles]
    unplaced = in_pile if None in seen.draw_top else 0
    hidden += members(unplaced)
    state.piles.stack = _filled_row(seen.draw_top, hidden)
    state.piles.rest = in_pile & ~unplaced | sum(bit(card) for card in hidden)
    place_in_pile(state, viewer, unplaced)


def _filled_row(row: Iterable[Card | None], hidden: list[int]) -> vec[i64]:
    """A row of cards, in which some of the hidden cards take the places of unknown ones."""
    return vec[i64](_number(card) if card else hidden.pop() for card in row)


def _number(card: Card) -> int:
    """The number of a card in the rules."""
    return CARD_NUMBERS[card]


def _card_set(cards: Iterable[Card]) -> int:
    return sum(bit(_number(card)) for card in cards)
