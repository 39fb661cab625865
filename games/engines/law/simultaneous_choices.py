"""Simultaneous choices of several seats: no seat learns another's choice before all are in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mypy_extensions import i64

from games.engines.common.agenda import kind_of, seat_of, subject_of
from games.engines.common.bits import bit, count
from games.engines.law import action_numbers as n
from games.engines.law import card_knowledge as knowledge
from games.engines.law import card_moves
from games.engines.law.cards import card_codes

if TYPE_CHECKING:
    from games.engines.law.table_state import LawState


def is_sealed(kind: i64) -> bool:
    """Whether several seats answer this kind of task at the same time."""
    return kind in (n.TASK_SWAP, n.TASK_CONTRIBUTE, n.TASK_RETURN)


def offered_cards(state: LawState, seat: i64, kind: i64) -> i64:
    """The cards from which a seat chooses."""
    return state.laws[seat] if kind == n.TASK_RETURN else state.hands[seat]


def cards_to_choose(state: LawState, seat: i64, task: i64) -> i64:
    """The number of cards that a seat has to choose."""
    kind = kind_of(task)
    number = n.number_of(subject_of(task))
    if kind != n.TASK_SWAP:
        return min(number, count(offered_cards(state, seat, kind)))
    one = seat_of(task)
    other = n.other_of(subject_of(task))
    if seat not in (one, other):
        return 0
    return min(number, count(state.hands[one]), count(state.hands[other]))  # R32


def awaited_seats(state: LawState, task: i64) -> i64:
    """The seats that have a choice and have not made it."""
    waiting: i64 = 0
    for seat in range(state.seats):
        wanted = cards_to_choose(state, seat, task)
        if count(offered_cards(state, seat, kind_of(task))) > wanted > count(state.chosen[seat]):
            waiting |= bit(seat)
    return waiting


def final_choice(state: LawState, seat: i64, task: i64) -> i64:
    """The cards that a seat has chosen, or all it has if that is not enough to choose from."""
    cards = offered_cards(state, seat, kind_of(task))
    return cards if count(cards) <= cards_to_choose(state, seat, task) else state.chosen[seat]


def apply_choices(state: LawState, task: i64) -> None:
    """Apply all choices at the same time."""
    choices = [final_choice(state, seat, task) for seat in range(state.seats)]
    for seat in range(state.seats):
        state.chosen[seat] = 0
    kind = kind_of(task)
    if kind == n.TASK_SWAP:
        one = seat_of(task)
        swap_cards(state, one, n.other_of(subject_of(task)), choices)
    elif kind == n.TASK_CONTRIBUTE:
        for seat in range(state.seats):
            if choices[seat] != 0:
                contribute_cards(state, seat, choices[seat])
    else:
        return_laws(state, choices)


def swap_cards(state: LawState, one: i64, other: i64, choices: list[i64]) -> None:
    """Swap cards between two players, unseen by the others unless a hand is open."""
    gave = choices[one]
    got = choices[other]
    if state.is_recording_news and gave != 0:
        facts: dict[str, Any] = {"with": int(other), "count": int(count(gave))}
        secrets = {"gave": card_codes(gave), "got": card_codes(got)}
        seen_by = knowledge.transfer_viewers(state, one, other)
        state.add_news("swapped", one, facts, secrets, seen_by)
    card_moves.exchange_cards(state, one, other, gave, got)


def contribute_cards(state: LawState, seat: i64, cards: i64) -> None:
    """Put a player's cards into the empty draw pile, face down."""
    seen_by = knowledge.transfer_viewers(state, seat, seat)
    if state.is_recording_news:
        facts: dict[str, Any] = {"count": int(count(cards))}
        secrets = {"cards": card_codes(cards)}
        state.add_news("contributed", seat, facts, secrets, seen_by)
    knowledge.lose_sight(state, state.hands[seat], cards, seen_by)
    state.hands[seat] = state.hands[seat] & ~cards
    state.piles.rest |= cards
    knowledge.learn(state, seen_by, cards)


def return_laws(state: LawState, choices: list[i64]) -> None:
    """Return Laws to the draw pile, all together."""
    together: i64 = 0
    for seat in range(state.seats):
        together |= choices[seat]
        if state.is_recording_news and choices[seat] != 0:
            state.add_news("returned", seat, {"laws": card_codes(choices[seat])})
    card_moves.repeal(state, together)
    card_moves.shuffle_in(state, together)
