"""What may one know of a table?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from games.engines.common import french
from games.engines.common.agenda import kind_of, seat_of, subject_of
from games.engines.common.bits import count, has, members
from games.engines.law.actions import Card, Duty
from games.engines.law.layout import NO_BILL, NOT_BEGUN
from games.engines.law.options import Options
from games.engines.law.state import LawState
from games.engines.law.tasks import (
    DUTY_NAMES,
    ENDINGS,
    TASK_NAMES,
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
class Chain:
    """What one action has led to so far, or the last one has."""

    actor: int  # whose action it is
    fired: tuple[Fired, ...]
    happened: tuple[Card, ...]  # events, which cannot happen again before the chain ends
    contributed: bool  # has everybody contributed to the draw pile?


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it; without a seat, as an onlooker does. Where a card is None, one
    lies there that the viewer does not know."""

    seat: int | None
    options: Options
    to_act: tuple[int, ...]
    turn: int
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
    chain: Chain
    quiet: int  # turns since the last collection
    decisions: int
    winners: tuple[int, ...]
    ending: Ending

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hand_sizes)


def view(state: LawState, seat: int | None) -> View:
    """What `seat` (None: an onlooker) may know."""
    viewer = int(state.seats) if seat is None else seat
    sure = state.knows[viewer]
    return View(
        seat=seat,
        options=Options("whole" if state.deck == french.DECK else "introductory"),
        to_act=_plain(members(state.to_act)),
        turn=int(state.turn),
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
        face_down=bool(state.terms[viewer].is_blind),
        face_up=bool(state.terms[viewer].sees_pile),
        trash=_codes(state.trash),
        removed=_codes(state.removed),
        agenda=tuple(_task(task) for task in state.agenda.tasks),
        bill=_bill(state),
        chosen=() if seat is None else _codes(state.chosen[seat]),
        chosen_sizes=_plain(count(chosen) for chosen in state.chosen),
        triggers=_triggers(state),
        chain=_chain(state),
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


def _chain(state: LawState) -> Chain:
    return Chain(
        actor=int(state.actor),
        fired=tuple(Fired(_code(pair >> 8), _code(pair & 0xFF)) for pair in state.fired),
        happened=_codes(state.happened),
        contributed=bool(state.has_contributed),
    )


def _triggers(state: LawState) -> tuple[Trigger, ...]:
    pairs = zip(state.waiting, state.waiting_laws, strict=True)
    return tuple(
        Trigger(int(waiting >> 8), _code(waiting & 0xFF), _codes(laws)) for waiting, laws in pairs
    )
