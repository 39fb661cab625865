"""The view of the table: all that a seat or an onlooker may know, without the hidden cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from games.engines.common import playing_cards
from games.engines.common.agenda import kind_of, seat_of, subject_of
from games.engines.common.bits import count, has, members
from games.engines.common.public_fields import to_ints
from games.engines.law.action_numbers import (
    DUTY_NAMES,
    ENDING_NAMES,
    TASK_NAMES,
    card_of,
    number_of,
    other_of,
)
from games.engines.law.actions import Card, Duty
from games.engines.law.game_logic import LawState
from games.engines.law.game_options import Options
from games.engines.law.rule_parameters import BILL_SHAPE_COUNT, SHAPE_NAMES
from games.engines.law.table_state import NO_BILL, NOT_BEGUN

Ending = Literal["", "laws", "straight_flush", "impossible", "stalemate", "too_long"]
Shape = Literal["kind", "straight", "flush", "straight_flush"]


@dataclass(frozen=True)
class Law:
    """A collected card; `bound` is the only player that it binds, if there is one."""

    card: Card
    bound: int | None


@dataclass(frozen=True)
class Known:
    """Cards that the viewer is sure `seat` holds."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Bill:
    """A Bill of which some cards are still to be laid."""

    shape: Shape
    lowest: int  # the next position of a straight: 0 is the low ace, 13 the high one; else the rank
    suit: int  # as a number: the first of its class
    cards: int  # still to be laid
    hearts: int  # how many of these must be hearts, at least


@dataclass(frozen=True)
class Task:
    """A task that the table still has to do; the last in the agenda comes first."""

    kind: str
    seat: int
    number: int = 0
    other: int | None = None
    card: Card | None = None


@dataclass(frozen=True)
class Trigger:
    """A card that has set off Laws, which wait to be run."""

    seat: int
    card: Card
    laws: tuple[Card, ...]


@dataclass(frozen=True)
class Fired:
    """A Law that a card has set off, and cannot set off again before the chain ends."""

    law: Card
    card: Card


@dataclass(frozen=True)
class Chain:
    """The consequences so far of the action in progress, or of the last action."""

    actor: int  # the seat whose action it is
    fired: tuple[Fired, ...]
    happened: tuple[Card, ...]  # events, which cannot happen again before the chain ends
    contributed: bool  # whether contributions to the draw pile have been requested


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it; without a seat, as an onlooker does. A card that is None is one
    that the viewer does not know."""

    seat: int | None
    options: Options
    to_act: tuple[int, ...]
    turn: int
    takes: int  # cards still to be taken at the start of the turn
    discards: int | None  # cards still to be discarded at its end; None before that has begun
    duties: tuple[Duty, ...]  # other duties owed at the end of the turn; empty before
    stolen: bool  # whether the player on turn has revealed a hand this turn
    asked: int  # how often the player on turn has asked
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    known: tuple[Known, ...]
    laws: tuple[tuple[Law, ...], ...]  # by seat
    raised: tuple[int, ...]  # by seat: the additional Laws that events require
    needed: tuple[int, ...]  # by seat: how many Laws win, all things considered
    sizes: tuple[tuple[int, int, int], ...]  # by seat: of a kind, straight, flush; 0: no Bill
    draw_pile: int  # how many cards, including those below
    draw_top: tuple[Card | None, ...]  # cards whose places are fixed, the top last
    draw_known: tuple[Card, ...]  # cards that the viewer is sure are in the rest
    discard_piles: tuple[tuple[Card | None, ...], ...]  # each with the top last
    face_down: bool  # whether the discard piles show this viewer their backs
    face_up: bool  # whether the draw pile shows this viewer its top card
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
        """The number of players."""
        return len(self.hand_sizes)


def view(state: LawState, seat: int | None) -> View:
    """The view of `seat` (None: an onlooker)."""
    viewer = int(state.seats) if seat is None else seat
    sure = state.known_cards[viewer]
    return View(
        seat=seat,
        options=Options("whole" if state.deck == playing_cards.FULL_DECK else "introductory"),
        to_act=to_ints(members(state.to_act)),
        turn=int(state.turn),
        takes=int(state.takes),
        discards=None if state.discards_left == NOT_BEGUN else int(state.discards_left),
        duties=tuple(DUTY_NAMES[duty] for duty in members(state.duties)),
        stolen=bool(state.has_stolen),
        asked=int(state.asked),
        hand=() if seat is None else _card_codes(state.hands[seat]),
        hand_sizes=to_ints(count(hand) for hand in state.hands),
        known=_known_view(state, sure),
        laws=tuple(_laws_view(state, owner) for owner in range(state.seats)),
        raised=to_ints(state.raised),
        needed=to_ints(state.laws_needed(owner) for owner in range(state.seats)),
        sizes=tuple(_bill_sizes(state, owner) for owner in range(state.seats)),
        draw_pile=int(state.draw_pile_size()),
        draw_top=_row_view(state.stack, sure),
        draw_known=_card_codes(state.pile & sure),
        discard_piles=tuple(_row_view(pile, sure) for pile in state.discards),
        face_down=bool(state.parameters[viewer].is_blind),
        face_up=bool(state.parameters[viewer].sees_pile),
        trash=_card_codes(state.trash),
        removed=_card_codes(state.removed),
        agenda=tuple(_task_view(task) for task in state.agenda.tasks),
        bill=_bill_view(state),
        chosen=() if seat is None else _card_codes(state.chosen[seat]),
        chosen_sizes=to_ints(count(chosen) for chosen in state.chosen),
        triggers=_trigger_views(state),
        chain=_chain_view(state),
        quiet=int(state.quiet),
        decisions=int(state.decisions),
        winners=to_ints(members(state.winners)),
        ending=ENDING_NAMES[state.ending],
    )


def _card_code(card: int) -> Card:
    return playing_cards.card_code(card)


def _card_codes(cards: int) -> tuple[Card, ...]:
    return tuple(playing_cards.card_code(card) for card in members(cards))


def _row_view(cards: Iterable[int], sure: int) -> tuple[Card | None, ...]:
    return tuple(playing_cards.card_code(card) if has(sure, card) else None for card in cards)


def _known_view(state: LawState, sure: int) -> tuple[Known, ...]:
    by_seat = ((seat, state.hands[seat] & sure) for seat in range(state.seats))
    return tuple(Known(seat, _card_codes(cards)) for seat, cards in by_seat if cards)


def _laws_view(state: LawState, owner: int) -> tuple[Law, ...]:
    return tuple(
        Law(_card_code(card), _bound_seat(state, card)) for card in members(state.laws[owner])
    )


def _bound_seat(state: LawState, law: int) -> int | None:
    return next((seat for seat in range(state.seats) if has(state.bound[seat], law)), None)


def _bill_sizes(state: LawState, seat: int) -> tuple[int, int, int]:
    terms = state.parameters[seat]
    kind, straight, flush = (
        0 if has(terms.banned, shape) else int(terms.bill_size(shape))
        for shape in range(BILL_SHAPE_COUNT)
    )
    return kind, straight, flush


def _task_view(task: int) -> Task:
    subject = subject_of(task)
    other, card = int(other_of(subject)), int(card_of(subject))
    return Task(
        kind=TASK_NAMES[kind_of(task)],
        seat=int(seat_of(task)),
        number=int(number_of(subject)),
        other=None if other < 0 else other,
        card=None if card < 0 else _card_code(card),
    )


def _bill_view(state: LawState) -> Bill | None:
    if state.bill == NO_BILL:
        return None
    place, suit = int(state.bill_place), int(state.bill_suit)
    return Bill(SHAPE_NAMES[state.bill], place, suit, int(state.bill_left), int(state.bill_hearts))


def _chain_view(state: LawState) -> Chain:
    return Chain(
        actor=int(state.actor),
        fired=tuple(Fired(_card_code(pair >> 8), _card_code(pair & 0xFF)) for pair in state.fired),
        happened=_card_codes(state.happened),
        contributed=bool(state.has_contributed),
    )


def _trigger_views(state: LawState) -> tuple[Trigger, ...]:
    pairs = zip(state.pending_triggers, state.pending_trigger_laws, strict=True)
    return tuple(
        Trigger(int(waiting >> 8), _card_code(waiting & 0xFF), _card_codes(laws))
        for waiting, laws in pairs
    )
