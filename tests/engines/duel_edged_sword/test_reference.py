"""Duel-Edged Sword against a reference: every placement has the outcome that the rules state.

The reference has no ends, rings, sets or tallies: a row is a list of codes, and each rule is a
statement about lists. Every placement of many random positions is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_edged_sword import ENGINE
from tabularium_engines.duel_edged_sword.action_numbers import OPEN_ROW, PLACE, encode_action
from tabularium_engines.duel_edged_sword.cards import TRUE_KIND, face_of
from tabularium_engines.duel_edged_sword.game_logic import SwordState
from tabularium_engines.duel_edged_sword.game_options import Options
from tabularium_engines.duel_edged_sword.rows import FACE_DOWN, LEFT, RIGHT, ROW_COUNT
from tests.engines.duel_edged_sword.tables import (
    FIRST,
    collected_cards,
    drawn_card,
    row_text,
    view_of,
)

PROPERTIES = ["filled", "partial", "hollow", "red", "green", "blue", "circle", "square", "triangle"]
KINDS = [*PROPERTIES, "true", "false"]
SIDES = {"left": LEFT, "right": RIGHT}
TRUE_FACE = face_of(TRUE_KIND)


@dataclass(frozen=True)
class Outcome:
    """A row after a card is laid, and the cards collected with it."""

    row: list[str]
    collected: list[str]


def reference_outcome(row: list[str], side: str, card: str) -> Outcome | None:
    """The outcome of laying a card; None if it is illegal. "[red]" lies face down."""
    if side == "right":
        mirrored = reference_outcome(row[::-1], "left", card)
        return mirrored and Outcome(mirrored.row[::-1], mirrored.collected)
    if row and {row[0], card} <= {"true", "false"}:
        return None
    laid = [card, *row]
    match_places = [n for n, other in enumerate(row, start=1) if other == card and card in KINDS]
    if match_places:
        return Outcome(
            laid[match_places[0] + 1 :], [one.strip("[]") for one in laid[: match_places[0] + 1]]
        )
    for n, other in enumerate(row, start=1):
        if {card, other} == {"true", "false"}:
            between = [f"[{one.strip('[]')}]" for one in laid[1:n]]
            return Outcome([card, *between, *laid[n:]], [])
    return Outcome(laid, [])


def reference_standing(constraints: list[str]) -> str:
    """A player's standing with these collected edges."""
    most = max([constraints.count(kind) for kind in KINDS])
    return "cut" if most >= 4 else "out" if most == 3 else "in"


def positions(count: int) -> Iterator[SwordState]:
    """Positions of random games, some with many more face-down cards."""
    seed = 0
    while count > 0:
        seed += 1
        rng = FastRng(seed)
        state = FIRST.start(Options(mode="combative", rounds=2), 4, rng)  # with all ends
        while state.to_act and count > 0:
            yield state
            count -= 1
            seat = ENGINE.awaited_seats(state)[0]
            state.apply(seat, state.random_action(seat, rng), rng)
            if seed % 4 == 0:
                turn_card_down(state, rng)


def turn_card_down(state: SwordState, rng: FastRng) -> None:
    """Turn a random Complete or Single face down, which the rules do only in a pairing."""
    chosen = rng.below(ROW_COUNT)
    cells = state.rows.cells_of(chosen)
    steps = [step for step, cell in enumerate(cells) if cell % FACE_DOWN < TRUE_FACE]
    if steps:
        state.rows.turn_down(chosen, LEFT, steps[rng.below(len(steps))])


def check_placements(state: SwordState) -> None:
    """Every placement in this position, legal or not, agrees with the reference."""
    seat, card = ENGINE.awaited_seats(state)[0], drawn_card(state)
    legal_codes = set(state.legal_actions(seat))
    sort = KINDS.index(card) + 1 if card in KINDS else 0
    collected_before = collected_cards(state, seat)
    for number in range(ROW_COUNT):
        cards = row_text(state, number + 1).split()
        assert (encode_action(OPEN_ROW, sort, number, LEFT) in legal_codes) == (not cards)
        for side, place in SIDES.items():
            expected = reference_outcome(cards, side, card)
            end = (PLACE, sort, number, place) if cards else (OPEN_ROW, sort, number, LEFT)
            action = encode_action(*end)
            assert (action in legal_codes) == (expected is not None)
            if expected is not None:
                check_placement(state, seat, action, number, expected, collected_before)


def check_placement(
    state: SwordState,
    seat: int,
    action: int,
    number: int,
    expected: Outcome,
    collected_before: list[str],
) -> None:
    """The placement has the expected outcome for the row and for the player."""
    successor = state.clone()
    successor.lay_drawn_card(seat, number, action >> 24)
    others = [n for n in range(1, ROW_COUNT + 1) if n != number + 1]
    assert row_text(successor, number + 1).split() == expected.row
    assert [row_text(successor, n) for n in others] == [row_text(state, n) for n in others]
    assert sorted(collected_cards(successor, seat)) == sorted(
        [*collected_before, *expected.collected]
    )
    constraints = list(view_of(successor).players[seat].constraints)
    assert view_of(successor).players[seat].standing == reference_standing(constraints)
    face_up_kinds = [
        {laid.card for laid in cards if laid.is_up} & set(KINDS)
        for cards in view_of(successor).rows
    ]
    assert [
        {KINDS[kind] for kind in range(11) if successor.rows.has_face_up(n, kind)}
        for n in range(ROW_COUNT)
    ] == face_up_kinds


@pytest.mark.lane("slow")
def test_every_placement_has_the_outcome_of_the_reference(
    games_count: Callable[[int, int], int],
) -> None:
    count = 0
    for state in positions(games_count(600, 20_000)):
        check_placements(state)
        count += 1
    assert count == games_count(600, 20_000)


def test_the_reference_agrees_with_the_printed_rules() -> None:
    assert reference_outcome(["red", "FRC"], "right", "red") == Outcome([], ["red", "FRC", "red"])
    assert reference_outcome(["true", "red"], "left", "false") is None
    assert reference_outcome(["true", "red"], "right", "false") == Outcome(
        ["true", "[red]", "false"], []
    )
    assert reference_outcome([], "left", "true") == Outcome(["true"], [])


def test_random_play_covers_every_outcome_of_the_reference() -> None:
    outcomes = set()
    for state in positions(600):
        cards = [row_text(state, number).split() for number in range(1, ROW_COUNT + 1)]
        for cards_of_row in cards:
            outcome = reference_outcome(cards_of_row, "left", drawn_card(state))
            if outcome is None:
                outcomes.add("refused")
            elif outcome.collected:
                outcomes.add("collected")
            elif any(card.startswith("[") for card in outcome.row):
                outcomes.add("turned")
        outcomes.add("empty" if [] in cards else "full")
    assert outcomes == {"refused", "collected", "turned", "empty", "full"}
