"""The view of the table: all that a seat or an onlooker may know, without the hidden cards.
`imagine` makes a random state that agrees with a view, for searches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import ONLOOKER_SEAT, Rng
from games.engines.common import playing_cards
from games.engines.common.agenda import kind_of, seat_of, subject_of
from games.engines.common.bits import bit, count, has, members
from games.engines.common.public_fields import to_ints
from games.engines.law_of_the_dice.action_numbers import (
    TASK_GIVE,
    TASK_LAST_WORD,
    TASK_NAMES,
    TASK_ROLL,
    TASK_TARGET,
)
from games.engines.law_of_the_dice.actions import Card, Number, Suit
from games.engines.law_of_the_dice.game_logic import DiceState
from games.engines.law_of_the_dice.game_options import Options
from games.engines.law_of_the_dice.suit_scoring import winning_seats
from games.engines.law_of_the_dice.table_state import NO_CARD, NO_SEAT, NO_SUIT, SLOT_COUNT


@dataclass(frozen=True)
class Law:
    """One slot of a player's tablet."""

    card: Card | None
    number: Number | None


@dataclass(frozen=True)
class Place:
    """The position of a law."""

    seat: int
    slot: int


@dataclass(frozen=True)
class Rolled:
    """A die that was rolled, and its number."""

    seat: int
    die: int
    number: int


@dataclass(frozen=True)
class Count:
    """The result of a count."""

    suit: Suit
    counted: tuple[int, ...]  # by seat: the number of cards
    scorers: tuple[int, ...]


@dataclass(frozen=True)
class Known:
    """Cards that the viewer knows `seat` holds."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Task:
    """A pending task; the last in the agenda is the next."""

    kind: str
    seat: int
    power: str | None = None  # target: the card's rank
    recipient: int | None = None  # give: the seat that gets the card
    die: int | None = None  # roll: its sides
    suits: tuple[Suit, ...] = ()  # last_word: the tied suits


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it (None: an onlooker)."""

    seat: int | None
    options: Options
    to_act: tuple[int, ...]
    turn: int
    caller: int | None
    points: tuple[int, ...]
    counts: int
    last_count: Count | None
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    known: tuple[Known, ...]
    laws: tuple[tuple[Law, ...], ...]
    draw_pile: int
    discard_pile: tuple[Card, ...]  # the top last
    agenda: tuple[Task, ...]
    waiting: tuple[Place, ...]  # triggered laws, the next first
    fired: tuple[Place, ...]  # laws that this chain cannot trigger again
    rolled: tuple[Rolled, ...]  # this turn, the oldest first
    vote: Suit | None
    voted: tuple[int, ...]
    winners: tuple[int, ...]

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.points)


# -- from the state -----------------------------------------------------------------------------


def view(state: DiceState, seat: int | None) -> View:
    """The view of `seat` (None: an onlooker)."""
    viewer = state.seats if seat is None else seat
    cast = NO_SUIT if seat is None else state.votes[seat]
    return View(
        seat=seat,
        options=_options_view(state),
        to_act=to_ints(members(state.to_act)),
        turn=int(state.turn),
        caller=None if state.caller == NO_SEAT else int(state.caller),
        points=to_ints(state.points),
        counts=int(state.counts),
        last_count=_last_count_view(state),
        hand=() if seat is None else _card_codes(members(state.hands[seat])),
        hand_sizes=to_ints(count(hand) for hand in state.hands),
        known=_known_view(state, state.known_cards[viewer]),
        laws=tuple(_tablet_view(state, owner) for owner in range(state.seats)),
        draw_pile=int(count(state.pile)),
        discard_pile=_card_codes(state.discards),
        agenda=tuple(_task_view(task) for task in state.agenda.tasks),
        waiting=_place_views(state.queue),
        fired=_place_views(members(state.fired)),
        rolled=tuple(_roll_view(roll) for roll in state.rolled),
        vote=None if cast == NO_SUIT else playing_cards.SUIT_NAMES[cast],
        voted=tuple(voter for voter in range(state.seats) if state.votes[voter] != NO_SUIT),
        winners=() if state.to_act else to_ints(members(winning_seats(state))),
    )


def _options_view(state: DiceState) -> Options:
    one: Literal["hands", "laws"] = "hands" if state.counts_hands else "laws"
    return Options(
        suit_by="die" if state.suit_by_die else "vote",
        counted="both" if state.counts_hands and state.counts_laws else one,
        laws_kept=state.laws_kept,
        points_to_win=int(state.points_to_win),
    )


def _last_count_view(state: DiceState) -> Count | None:
    if state.counts == 0:
        return None
    suit, scorers, *counted = state.last_count
    return Count(playing_cards.SUIT_NAMES[suit], to_ints(counted), to_ints(members(scorers)))


def _card_codes(cards: Iterable[int]) -> tuple[str, ...]:
    return tuple(playing_cards.card_code(card) for card in cards)


def _tablet_view(state: DiceState, owner: int) -> tuple[Law, ...]:
    places = range(owner * SLOT_COUNT, owner * SLOT_COUNT + SLOT_COUNT)
    return tuple(_law_view(state.laws[place], state.numbers[place]) for place in places)


def _law_view(card: int, number: int) -> Law:
    return Law(None if card == NO_CARD else playing_cards.card_code(card), int(number) or None)


def _known_view(state: DiceState, sure: int) -> tuple[Known, ...]:
    by_seat = ((seat, state.hands[seat] & sure) for seat in range(state.seats))
    return tuple(Known(seat, _card_codes(members(cards))) for seat, cards in by_seat if cards)


def _place_views(laws: Iterable[int]) -> tuple[Place, ...]:
    return tuple(Place(int(law) // SLOT_COUNT, int(law) % SLOT_COUNT + 1) for law in laws)


def _roll_view(roll: int) -> Rolled:
    return Rolled(seat=int(roll) & 0xFF, die=int(roll) >> 8 & 0xFF, number=int(roll) >> 16)


def _task_view(task: int) -> Task:
    kind, subject = kind_of(task), int(subject_of(task))
    return Task(
        kind=TASK_NAMES[kind],
        seat=int(seat_of(task)),
        power=playing_cards.RANK_SIGNS[subject] if kind == TASK_TARGET else None,
        recipient=subject if kind == TASK_GIVE else None,
        die=subject if kind == TASK_ROLL else None,
        suits=tuple(playing_cards.SUIT_NAMES[s] for s in members(subject))
        if kind == TASK_LAST_WORD
        else (),
    )


# -- back to a state ----------------------------------------------------------------------------


def imagine(seen: View, rng: Rng) -> DiceState:
    """A state with this view; `rng` samples the hidden cards and votes."""
    state = DiceState()
    set_options(state, seen.options)
    state.init_table(seen.seats)
    state.turn = seen.turn
    state.caller = NO_SEAT if seen.caller is None else seen.caller
    state.points = vec[i64](seen.points)
    state.counts = seen.counts
    state.last_count = vec[i64](_last_count_numbers(seen.last_count))
    state.discards = vec[i64](card_number(card) for card in seen.discard_pile)
    laws = [law for tablet in seen.laws for law in tablet]
    state.laws = vec[i64]([NO_CARD if law.card is None else card_number(law.card) for law in laws])
    state.numbers = vec[i64]([law.number or 0 for law in laws])
    for task in seen.agenda:
        state.agenda.push(TASK_NAMES.index(task.kind), task.seat, _subject_code(task))
    state.queue = vec[i64](_law_index(place) for place in seen.waiting)
    state.fired = sum(bit(_law_index(place)) for place in seen.fired)
    state.rolled = vec[i64](roll.number << 16 | roll.die << 8 | roll.seat for roll in seen.rolled)
    state.to_act = sum(bit(seat) for seat in seen.to_act)
    _place_hidden_cards(state, seen)
    state.determinize(ONLOOKER_SEAT if seen.seat is None else seen.seat, rng)
    return state


def _place_hidden_cards(state: DiceState, seen: View) -> None:
    """Put an arbitrary card in each hidden position; `determinize` samples them afterwards."""
    state.votes = vec[i64](0 if seat in seen.voted else NO_SUIT for seat in range(seen.seats))
    viewer = seen.seats if seen.seat is None else seen.seat
    if seen.seat is not None:
        state.hands[viewer] = _card_set(seen.hand)
        state.votes[viewer] = NO_SUIT if seen.vote is None else _suit_number(seen.vote)
    for known in seen.known:
        state.hands[known.seat] = _card_set(known.cards)
        state.known_cards[viewer] |= _card_set(known.cards)
    in_sight = state.visible_cards() | sum(state.hands)
    hidden = [card for card in range(playing_cards.CARD_COUNT) if not has(in_sight, card)]
    for seat in range(seen.seats):
        for _ in range(seen.hand_sizes[seat] - count(state.hands[seat])):
            state.hands[seat] |= bit(hidden.pop())
    state.pile = sum(bit(card) for card in hidden)


def set_options(state: DiceState, options: Options) -> None:
    """Set the rules' variants from the options."""
    state.points_to_win = options.points_to_win
    state.suit_by_die = options.suit_by == "die"
    state.laws_kept = options.laws_kept
    state.counts_hands = options.counted != "laws"
    state.counts_laws = options.counted != "hands"


def card_number(card: Card) -> int:
    """The rules' number of a card."""
    return playing_cards.CARD_CODES.index(card)


def _card_set(cards: Iterable[Card]) -> int:
    return sum(bit(card_number(card)) for card in cards)


def _suit_number(suit: Suit) -> int:
    return playing_cards.SUIT_NAMES.index(suit)


def _last_count_numbers(last: Count | None) -> list[int]:
    if last is None:
        return []
    scorers = sum(bit(seat) for seat in last.scorers)
    return [_suit_number(last.suit), scorers, *last.counted]


def _law_index(place: Place) -> int:
    return place.seat * SLOT_COUNT + place.slot - 1


def _subject_code(task: Task) -> int:
    if task.power is not None:
        return playing_cards.RANK_SIGNS.index(task.power)
    if task.recipient is not None:
        return task.recipient
    if task.die is not None:
        return task.die
    return sum(bit(_suit_number(suit)) for suit in task.suits)
