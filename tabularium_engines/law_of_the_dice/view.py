"""The view of the table: all that a seat or an onlooker may know, without the hidden cards.
`imagine` makes a random state that agrees with a view, for searches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import ONLOOKER_SEAT, Rng
from tabularium_engines.common.agenda import kind_of, seat_of, subject_of
from tabularium_engines.common.bits import bit, count, members
from tabularium_engines.common.playing_cards import (
    CARD_CODES,
    CARD_NUMBERS,
    FULL_DECK,
    RANK_SIGNS,
    SUIT_NAMES,
)
from tabularium_engines.common.public_fields import PublicFields, to_ints
from tabularium_engines.law_of_the_dice import action_numbers as n
from tabularium_engines.law_of_the_dice.actions import Card, Number, Suit
from tabularium_engines.law_of_the_dice.game_logic import DiceState, empty_table
from tabularium_engines.law_of_the_dice.game_options import Options, SecondOptions, ThirdOptions
from tabularium_engines.law_of_the_dice.scoring import NO_SEAT, NO_SUIT, Variant
from tabularium_engines.law_of_the_dice.tablets import NO_CARD, SLOT_COUNT, Tablets


@dataclass(frozen=True)
class Law:
    """One slot of a player's tablet."""

    card: Card | None  #: the law in this slot; null if there is none
    number: Number | None  #: its number; null if it has none


@dataclass(frozen=True)
class Place:
    """The position of a law."""

    seat: int  #: whose law it is
    slot: int  #: the slot, from 1 to 3

    @property
    def index(self) -> int:
        """The number of the law in the rules."""
        return self.seat * SLOT_COUNT + self.slot - 1


@dataclass(frozen=True)
class Rolled:
    """A die that was rolled, and its number."""

    seat: int  #: who rolled
    die: int  #: the number of its sides
    number: int  #: the number that came up


@dataclass(frozen=True)
class Count:
    """The result of a count."""

    suit: Suit  #: the suit that was counted
    counted: tuple[int, ...]  #: by seat: the number of cards
    scorers: tuple[int, ...]  #: the seats that got a point


@dataclass(frozen=True)
class Known:
    """Cards that the viewer knows `seat` holds."""

    seat: int  #: who holds them
    cards: tuple[Card, ...]  #: these cards, in no order


@dataclass(frozen=True)
class Task:
    """A pending task; the last in the agenda is the next."""

    kind: str  #: what is to be done
    seat: int  #: who has to do it
    power: str | None = None  #: target: the card's rank
    recipient: int | None = None  #: give: the seat that gets the card
    die: int | None = None  #: roll: its sides
    suits: tuple[Suit, ...] = ()  #: last_word: the tied suits


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it (None: an onlooker)."""

    seat: int | None  #: the viewer's seat; null: an onlooker
    options: Options
    to_act: tuple[int, ...]  #: the seats that must act; empty when the game is over
    turn: int  #: the seat on turn
    caller: int | None  #: the seat that has called a count; null if none has
    points: tuple[int, ...]  #: by seat: the points
    counts: int  #: the number of counts so far
    last_count: Count | None  #: the latest count; null before the first
    hand: tuple[Card, ...]  #: the viewer's cards; empty for an onlooker
    hand_sizes: tuple[int, ...]  #: by seat: the number of cards in hand
    known: tuple[Known, ...]  #: cards in hands of others that the viewer knows
    laws: tuple[tuple[Law, ...], ...]  #: by seat: the slots of the tablet
    draw_pile: int  #: the number of cards in the draw pile
    discard_pile: tuple[Card, ...]  #: the top last
    agenda: tuple[Task, ...]  #: the tasks that are still to be done, the next last
    waiting: tuple[Place, ...]  #: triggered laws, the next first
    fired: tuple[Place, ...]  #: laws that this chain cannot trigger again
    rolled: tuple[Rolled, ...]  #: this turn, the oldest first
    vote: Suit | None  #: the viewer's own sealed vote; null if there is none
    voted: tuple[int, ...]  #: the seats that have voted
    winners: tuple[int, ...]  #: the seats that win; empty before the end

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.points)


@dataclass(frozen=True)
class SecondView(View):
    """The table as version 2 shows it."""

    options: SecondOptions
    starter: int  #: the seat whose turn was the first since the deal
    opened: tuple[Suit, ...]  #: the latest votes by seat, once they are opened
    leg: int  #: the current one, from 1: points and counts are its own
    opener: int  #: the seat that began it
    first_points: tuple[int, ...]  #: by seat: the points of the first of two legs, once it is over


@dataclass(frozen=True)
class ThirdView(SecondView):
    """The table as version 3 shows it."""

    options: ThirdOptions
    turns: int  #: the number of turns that have begun since the deal

    @property
    def is_calm(self) -> bool:
        """Whether it is too early after the deal to call a count."""
        return bool(self.to_act) and self.options.house_rules and self.turns <= self.seats


def opened_votes(seen: View) -> tuple[Suit, ...]:
    """The latest votes by seat, once they are opened and if the version shows them."""
    return seen.opened if isinstance(seen, SecondView) else ()


def leg_count(seen: View) -> int:
    """The number of legs."""
    return int(variant_of(seen.options).leg_count(seen.seats))


def first_leg_winners(seen: View) -> tuple[int, ...]:
    """The seats that won the first of two legs, once it is over."""
    points = seen.first_points if isinstance(seen, SecondView) else ()
    return tuple(seat for seat, number in enumerate(points) if number == max(points))


def total_points(seen: View) -> tuple[int, ...]:
    """The points by seat, of both legs if the first is over."""
    if not isinstance(seen, SecondView) or not seen.first_points:
        return seen.points
    return tuple(map(sum, zip(seen.first_points, seen.points, strict=True)))


class _Fields(NamedTuple):
    """The fields that a part of the state and its view have in common, in one version."""

    table: PublicFields
    options: PublicFields


_VIEWS: Final = (View, SecondView, ThirdView)  # by version
_OPTIONS: Final = (Options, SecondOptions, ThirdOptions)
_FIELDS: Final = tuple(
    _Fields(PublicFields(view_type), PublicFields(options))
    for view_type, options in zip(_VIEWS, _OPTIONS, strict=True)
)
_COUNT_FIELDS: Final = PublicFields(Count)

# -- from the state -------------------------------------------------------------------------------


def view(state: DiceState, seat: int | None) -> View:
    """The view of `seat` (None: an onlooker)."""
    deck, scoring, votes = state.deck, state.scoring, state.votes
    fields, view_type = _FIELDS[state.variant.version - 1], _VIEWS[state.variant.version - 1]
    options: Any = _OPTIONS[state.variant.version - 1](**fields.options.show(state.variant))
    rolls = (int(roll) for roll in state.rolled)
    cast = NO_SUIT if seat is None else votes[seat]
    turns: dict[str, Any] = {"turns": int(state.turns)} if state.variant.version > 2 else {}
    return view_type(
        seat=seat,
        options=options,
        to_act=to_ints(members(state.to_act)),
        turn=int(state.turn),
        caller=None if state.caller == NO_SEAT else int(state.caller),
        last_count=Count(**_COUNT_FIELDS.show(scoring)) if scoring.counts else None,
        hand=() if seat is None else _card_codes(deck.hands[seat]),
        hand_sizes=to_ints(count(hand) for hand in deck.hands),
        known=_known_view(state, state.seats if seat is None else seat),
        laws=tuple(_tablet_view(state.tablets, owner) for owner in range(state.seats)),
        draw_pile=int(count(deck.pile)),
        agenda=tuple(_task_view(task) for task in state.agenda.tasks),
        waiting=_place_views(state.queue),
        fired=_place_views(members(state.fired)),
        rolled=tuple(Rolled(roll & 0xFF, roll >> 8 & 0xFF, roll >> 16) for roll in rolls),
        vote=None if cast == NO_SUIT else SUIT_NAMES[cast],
        voted=tuple(voter for voter, vote in enumerate(votes) if vote != NO_SUIT),
        winners=() if state.to_act else to_ints(members(state.winning_seats())),
        **fields.table.show(deck),
        **fields.table.show(scoring),
        **fields.table.show(state.legs),
        **turns,
    )


def _card_codes(cards: int) -> tuple[Card, ...]:
    return tuple(CARD_CODES[card] for card in members(cards))


def _tablet_view(tablets: Tablets, owner: int) -> tuple[Law, ...]:
    places = slice(owner * SLOT_COUNT, (owner + 1) * SLOT_COUNT)
    slots = zip(tablets.laws[places], tablets.numbers[places], strict=True)
    return tuple(
        Law(None if card == NO_CARD else CARD_CODES[card], int(number) or None)
        for card, number in slots
    )


def _known_view(state: DiceState, viewer: int) -> tuple[Known, ...]:
    sure = state.deck.known_cards[viewer]
    hands = enumerate(state.deck.hands)
    return tuple(Known(seat, _card_codes(hand & sure)) for seat, hand in hands if hand & sure)


def _place_views(laws: Iterable[int]) -> tuple[Place, ...]:
    return tuple(Place(int(law) // SLOT_COUNT, int(law) % SLOT_COUNT + 1) for law in laws)


def _task_view(task: int) -> Task:
    kind, subject = kind_of(task), int(subject_of(task))
    tied = members(subject) if kind == n.TASK_LAST_WORD else []
    return Task(
        kind=n.TASK_NAMES[kind],
        seat=int(seat_of(task)),
        power=RANK_SIGNS[subject] if kind == n.TASK_TARGET else None,
        recipient=subject if kind == n.TASK_GIVE else None,
        die=subject if kind == n.TASK_ROLL else None,
        suits=tuple(SUIT_NAMES[suit] for suit in tied),
    )


# -- back to a state ------------------------------------------------------------------------------


def imagine(seen: View, rng: Rng) -> DiceState:
    """A state with this view; `rng` samples the hidden cards and votes."""
    state = empty_table(variant_of(seen.options), seen.seats)
    state.to_act = sum(bit(seat) for seat in seen.to_act)
    state.turn = seen.turn
    state.turns = seen.turns if isinstance(seen, ThirdView) else 0
    state.caller = NO_SEAT if seen.caller is None else seen.caller
    fields = _FIELDS[state.variant.version - 1]
    fields.table.restore(state.deck, seen)
    fields.table.restore(state.scoring, seen)
    fields.table.restore(state.legs, seen)
    if seen.last_count is not None:
        _COUNT_FIELDS.restore(state.scoring, seen.last_count)
    laws = [law for tablet in seen.laws for law in tablet]
    state.tablets.numbers = vec[i64]([law.number or 0 for law in laws])
    for place, law in enumerate(laws):
        state.tablets.laws[place] = NO_CARD if law.card is None else card_number(law.card)
    for task in seen.agenda:
        state.agenda.push(n.TASK_NAMES.index(task.kind), task.seat, _subject_code(task))
    state.queue = vec[i64](place.index for place in seen.waiting)
    state.fired = sum(bit(place.index) for place in seen.fired)
    rolls = (roll.number << 16 | roll.die << 8 | roll.seat for roll in seen.rolled)
    state.rolled = vec[i64](rolls)
    _place_hidden_cards(state, seen)
    state.determinize(ONLOOKER_SEAT if seen.seat is None else seen.seat, rng)
    return state


def _place_hidden_cards(state: DiceState, seen: View) -> None:
    """Put an arbitrary card in each hidden position; `determinize` samples them afterwards."""
    deck, votes = state.deck, state.votes
    viewer = seen.seats if seen.seat is None else seen.seat
    for seat in seen.voted:
        votes[seat] = 0
    if seen.seat is not None:
        deck.hands[viewer] = _card_set(seen.hand)
        votes[viewer] = NO_SUIT if seen.vote is None else SUIT_NAMES.index(seen.vote)
    for known in seen.known:
        deck.hands[known.seat] = _card_set(known.cards)
        deck.known_cards[viewer] |= _card_set(known.cards)
    hidden = members(FULL_DECK & ~(state.visible_cards() | sum(deck.hands)))
    for seat in range(seen.seats):
        for _ in range(seen.hand_sizes[seat] - count(deck.hands[seat])):
            deck.hands[seat] |= bit(hidden.pop())
    deck.pile = sum(bit(card) for card in hidden)


def variant_of(options: Options) -> Variant:
    """The variant under these options."""
    variant = Variant()
    variant.version = _OPTIONS.index(type(options)) + 1
    _FIELDS[variant.version - 1].options.restore(variant, options)
    return variant


def card_number(card: Card) -> int:
    """The rules' number of a card."""
    return CARD_NUMBERS[card]


def _card_set(cards: Iterable[Card]) -> int:
    return sum(bit(card_number(card)) for card in cards)


def _subject_code(task: Task) -> int:
    """The subject of a task; a kind of task has at most one of these fields."""
    if task.power is not None:
        return RANK_SIGNS.index(task.power)
    tied = sum(bit(SUIT_NAMES.index(suit)) for suit in task.suits)
    return task.recipient or task.die or tied
