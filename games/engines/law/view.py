"""What one may know of a table, and which tables would look exactly like it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import ONLOOKER, Rng
from games.engines.common import french
from games.engines.common.agenda import kind_of, seat_of, subject_of
from games.engines.common.bits import bit, count, has, members
from games.engines.law.actions import Card, Duty
from games.engines.law.cards import INTRODUCTORY
from games.engines.law.force import enforce
from games.engines.law.layout import NO_BILL, NOT_BEGUN
from games.engines.law.options import Options
from games.engines.law.state import LawState
from games.engines.law.tasks import (
    DUTY_NAMES,
    ENDINGS,
    TASK_NAMES,
    about,
    card_of,
    number_of,
    other_of,
)
from games.engines.law.terms import SHAPE_NAMES, SHAPES

Ending = Literal["", "laws", "straight_flush", "impossible", "stalemate", "too_long"]
Shape = Literal["kind", "straight", "flush", "straight_flush"]


@dataclass(frozen=True)
class Law:
    """A collected card; `bound` is the only player whom it binds, if there is one."""

    card: Card
    bound: int | None


@dataclass(frozen=True)
class Known:
    """Cards of which the viewer is sure that `seat` holds them."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Bill:
    """A Bill of which some cards are still to be laid."""

    shape: Shape
    lowest: int  # the next place of a straight: 0 is the low ace, 13 the high one; else the rank
    suit: int  # as a number: the first of its class
    cards: int  # to be laid yet
    hearts: int  # how many of these must be Hearts at least


@dataclass(frozen=True)
class Task:
    """Something the table still has to do; the last in the agenda comes first."""

    kind: str
    seat: int
    number: int = 0
    other: int | None = None
    card: Card | None = None


@dataclass(frozen=True)
class Trigger:
    """A card that has set off Laws which wait for their turn."""

    seat: int
    card: Card
    laws: tuple[Card, ...]


@dataclass(frozen=True)
class Fired:
    """A Law that one card has set off, and cannot again before the chain ends."""

    law: Card
    card: Card


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it; without a seat, as an onlooker does. Where a card is None, one
    lies there that the viewer does not know."""

    seat: int | None
    options: Options
    to_act: tuple[int, ...]
    turn: int
    actor: int  # whose action the table works on, or worked on last
    takes: int  # cards still to be taken at the start of the turn
    discards: int | None  # still to be discarded at its end; None before that has begun
    duties: tuple[Duty, ...]  # what else is owed at the end of the turn; empty before
    stolen: bool  # has the player on turn revealed a hand this turn?
    asked: int  # how often the player on turn has asked
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    known: tuple[Known, ...]
    laws: tuple[tuple[Law, ...], ...]  # by seat
    raised: tuple[int, ...]  # by seat: how many Laws more events have asked for
    needed: tuple[int, ...]  # by seat: how many Laws win, all considered
    sizes: tuple[tuple[int, int, int], ...]  # by seat: of a kind, straight, flush; 0: no Bill
    draw_pile: int  # how many cards, the following included
    draw_top: tuple[Card | None, ...]  # those whose places are fixed, the top last
    draw_known: tuple[Card, ...]  # those of which the viewer is sure that they are in the rest
    discard_piles: tuple[tuple[Card | None, ...], ...]  # each with the top last
    face_down: bool  # do the discard piles show this viewer their backs?
    face_up: bool  # does the draw pile show this viewer its top card?
    trash: tuple[Card, ...]
    removed: tuple[Card, ...]
    agenda: tuple[Task, ...]
    bill: Bill | None
    chosen: tuple[Card, ...]  # the viewer's own sealed choice so far
    chosen_sizes: tuple[int, ...]  # by seat
    triggers: tuple[Trigger, ...]  # the next first
    fired: tuple[Fired, ...]
    happened: tuple[Card, ...]  # events that cannot happen again before the chain ends
    contributed: bool  # has everybody contributed to the draw pile in this chain?
    quiet: int  # turns since the last collection
    decisions: int
    winners: tuple[int, ...]
    ending: Ending

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hand_sizes)


# -- from the state -----------------------------------------------------------------------------


def view(state: LawState, seat: int | None) -> View:
    """What `seat` (None: an onlooker) may know."""
    viewer = int(state.seats) if seat is None else seat
    sure = state.knows[viewer]
    terms = state.terms[viewer]
    return View(
        seat=seat,
        options=Options("whole" if state.deck == french.DECK else "introductory"),
        to_act=_plain(members(state.to_act)),
        turn=int(state.turn),
        actor=int(state.actor),
        takes=int(state.takes),
        discards=None if state.due == NOT_BEGUN else int(state.due),
        duties=tuple(DUTY_NAMES[duty] for duty in members(state.duties)),
        stolen=bool(state.has_stolen),
        asked=int(state.asked),
        hand=() if seat is None else _codes(state.hands[seat]),
        hand_sizes=_plain(count(hand) for hand in state.hands),
        known=_known(state, sure),
        laws=tuple(_laws(state, owner) for owner in range(state.seats)),
        raised=_plain(state.raised),
        needed=_plain(state.needed(owner) for owner in range(state.seats)),
        sizes=tuple(_sizes(state, owner) for owner in range(state.seats)),
        draw_pile=int(state.pile_size()),
        draw_top=_row(state.stack, sure),
        draw_known=_codes(state.pile & sure),
        discard_piles=tuple(_row(pile, sure) for pile in state.discards),
        face_down=bool(terms.is_blind),
        face_up=bool(terms.sees_pile),
        trash=_codes(state.trash),
        removed=_codes(state.removed),
        agenda=tuple(_task(task) for task in state.agenda.tasks),
        bill=_bill(state),
        chosen=() if seat is None else _codes(state.chosen[seat]),
        chosen_sizes=_plain(count(chosen) for chosen in state.chosen),
        triggers=_triggers(state),
        fired=tuple(Fired(_code(pair >> 8), _code(pair & 0xFF)) for pair in state.fired),
        happened=_codes(state.happened),
        contributed=bool(state.has_contributed),
        quiet=int(state.quiet),
        decisions=int(state.decisions),
        winners=_plain(members(state.winners)),
        ending=ENDINGS[state.ending],
    )


def _plain(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(int(number) for number in numbers)


def _code(card: int) -> Card:
    return french.code(card)


def _codes(cards: int) -> tuple[Card, ...]:
    return tuple(french.code(card) for card in members(cards))


def _row(cards: Iterable[int], sure: int) -> tuple[Card | None, ...]:
    return tuple(french.code(card) if has(sure, card) else None for card in cards)


def _known(state: LawState, sure: int) -> tuple[Known, ...]:
    by_seat = ((seat, state.hands[seat] & sure) for seat in range(state.seats))
    return tuple(Known(seat, _codes(cards)) for seat, cards in by_seat if cards)


def _laws(state: LawState, owner: int) -> tuple[Law, ...]:
    return tuple(Law(_code(card), _bound(state, card)) for card in members(state.laws[owner]))


def _bound(state: LawState, law: int) -> int | None:
    return next((seat for seat in range(state.seats) if has(state.bound[seat], law)), None)


def _sizes(state: LawState, seat: int) -> tuple[int, int, int]:
    terms = state.terms[seat]
    kind, straight, flush = (
        0 if has(terms.banned, shape) else int(terms.size(shape)) for shape in range(SHAPES)
    )
    return kind, straight, flush


def _task(task: int) -> Task:
    subject = subject_of(task)
    other, card = int(other_of(subject)), int(card_of(subject))
    return Task(
        kind=TASK_NAMES[kind_of(task)],
        seat=int(seat_of(task)),
        number=int(number_of(subject)),
        other=None if other < 0 else other,
        card=None if card < 0 else _code(card),
    )


def _bill(state: LawState) -> Bill | None:
    if state.bill == NO_BILL:
        return None
    place, suit = int(state.bill_place), int(state.bill_suit)
    return Bill(SHAPE_NAMES[state.bill], place, suit, int(state.bill_left), int(state.bill_hearts))


def _triggers(state: LawState) -> tuple[Trigger, ...]:
    pairs = zip(state.waiting, state.waiting_laws, strict=True)
    return tuple(
        Trigger(int(waiting >> 8), _code(waiting & 0xFF), _codes(laws)) for waiting, laws in pairs
    )


# -- back to a state ----------------------------------------------------------------------------


def deck_of(options: Options) -> int:
    """The set of cards that are played with."""
    return int(french.DECK if options.deck == "whole" else INTRODUCTORY)


def imagine(seen: View, rng: Rng) -> LawState:
    """A table that would look like this: what is hidden lies where chance puts it."""
    state = LawState()
    state.lay_out(seen.seats, deck_of(seen.options))
    state.to_act = sum(bit(seat) for seat in seen.to_act)
    _lay_course(state, seen)
    _lay_chain(state, seen)
    state.laws = vec[i64](_set(law.card for law in laws) for laws in seen.laws)
    for law in (law for laws in seen.laws for law in laws):
        if law.bound is not None:
            state.bound[law.bound] |= bit(_number(law.card))
    state.raised = vec[i64](seen.raised)
    state.trash = _set(seen.trash)
    state.removed = _set(seen.removed)
    enforce(state)
    _lay_hidden(state, seen)
    state.determinize(ONLOOKER if seen.seat is None else seen.seat, rng)
    return state


def _lay_course(state: LawState, seen: View) -> None:
    """Whose turn it is, and what is still to be done."""
    state.turn = seen.turn
    state.actor = seen.actor
    state.takes = seen.takes
    state.due = NOT_BEGUN if seen.discards is None else seen.discards
    state.duties = sum(bit(DUTY_NAMES.index(duty)) for duty in seen.duties)
    state.has_stolen = seen.stolen
    state.asked = seen.asked
    state.quiet = seen.quiet
    state.decisions = seen.decisions
    state.winners = sum(bit(seat) for seat in seen.winners)
    state.ending = ENDINGS.index(seen.ending)
    for task in seen.agenda:
        other = -1 if task.other is None else task.other
        card = -1 if task.card is None else _number(task.card)
        state.agenda.push(TASK_NAMES.index(task.kind), task.seat, about(task.number, other, card))


def _lay_chain(state: LawState, seen: View) -> None:
    """The Bill that is being laid, and what one action has led to so far."""
    if seen.bill is not None:
        state.bill = SHAPE_NAMES.index(seen.bill.shape)
        state.bill_place = seen.bill.lowest
        state.bill_suit = seen.bill.suit
        state.bill_left = seen.bill.cards
        state.bill_hearts = seen.bill.hearts
    triggers = seen.triggers
    state.waiting = vec[i64](trigger.seat << 8 | _number(trigger.card) for trigger in triggers)
    state.waiting_laws = vec[i64](_set(trigger.laws) for trigger in triggers)
    pairs = ((_number(fired.law), _number(fired.card)) for fired in seen.fired)
    state.fired = vec[i64](law << 8 | card for law, card in pairs)
    state.happened = _set(seen.happened)
    state.has_contributed = seen.contributed


def _lay_hidden(state: LawState, seen: View) -> None:
    """Put some card wherever one is hidden; the re-deal will choose which."""
    viewer = seen.seats if seen.seat is None else seen.seat
    rows = [seen.draw_top, *seen.discard_piles]
    sure = _set(seen.draw_known) | _set(card for row in rows for card in row if card)
    for known in seen.known:
        state.hands[known.seat] = _set(known.cards)
        sure |= state.hands[known.seat]
    state.knows[viewer] = sure
    if seen.seat is not None:
        state.hands[seen.seat] = _set(seen.hand)
        state.chosen[seen.seat] = _set(seen.chosen)
    open_ = state.open_cards() | sure | _set(seen.hand)
    hidden = members(state.deck & ~open_)
    for seat in range(seen.seats):
        for _ in range(seen.hand_sizes[seat] - count(state.hands[seat])):
            state.hands[seat] |= bit(hidden.pop())
        if seat != seen.seat:  # the re-deal looks at the number only
            state.chosen[seat] = bit(seen.chosen_sizes[seat]) - 1
    state.stack, *state.discards = (
        vec[i64](_number(card) if card else hidden.pop() for card in row) for row in rows
    )
    state.pile = _set(seen.draw_known) | sum(bit(card) for card in hidden)


def _number(card: Card) -> int:
    """A card as the rules know it."""
    return french.CODES.index(card)


def _set(cards: Iterable[Card]) -> int:
    return sum(bit(_number(card)) for card in cards)
