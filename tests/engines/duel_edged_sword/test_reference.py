"""Duel-Edged Sword against a plain reference: every laid card has the outcome of the plainest
reading of the rules.

The reference knows no ends, rings, sets or tallies: a row is a list of words, and each rule is a
sentence about lists. It is asked about every legal placement in very many random positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from games.engines.common.rng import FastRng
from games.engines.duel_edged_sword import ENGINE
from games.engines.duel_edged_sword.decision_codes import encode_open_row, encode_place
from games.engines.duel_edged_sword.game_logic import SwordState
from games.engines.duel_edged_sword.game_options import Options
from games.engines.duel_edged_sword.rows import LEFT, RIGHT, ROW_COUNT
from tests.engines.duel_edged_sword.tables import drawn, has, row, seen

PROPERTIES = ["filled", "partial", "hollow", "red", "green", "blue", "circle", "square", "triangle"]
KINDS = [*PROPERTIES, "true", "false"]
SIDES = {"left": LEFT, "right": RIGHT}


@dataclass(frozen=True)
class Outcome:
    """A row after a card is laid, and the cards collected with it."""

    row: list[str]
    collected: list[str]


def reference(row: list[str], side: str, card: str) -> Outcome | None:
    """The outcome of laying the card; None if it may not lie there. "[red]" lies face down."""
    if side == "right":
        mirrored = reference(row[::-1], "left", card)
        return mirrored and Outcome(mirrored.row[::-1], mirrored.collected)
    if row and {row[0], card} <= {"true", "false"}:
        return None
    laid = [card, *row]
    likes = [n for n, other in enumerate(row, start=1) if other == card and card in KINDS]
    if likes:
        return Outcome(laid[likes[0] + 1 :], [one.strip("[]") for one in laid[: likes[0] + 1]])
    for n, other in enumerate(row, start=1):
        if {card, other} == {"true", "false"}:
            between = [f"[{one.strip('[]')}]" for one in laid[1:n]]
            return Outcome([card, *between, *laid[n:]], [])
    return Outcome(laid, [])


def standing(constraints: list[str]) -> str:
    """A player's standing with these collected edges."""
    most = max([constraints.count(kind) for kind in KINDS])
    return "cut" if most >= 4 else "out" if most == 3 else "in"


def positions(number: int) -> Iterator[SwordState]:
    """Positions of random games, some of them strewn with far more face-down cards."""
    seed = 0
    while number > 0:
        seed += 1
        rng = FastRng(seed)
        state = ENGINE.start(Options(mode="combative", rounds=2), 4, rng)
        while state.to_act and number > 0:
            yield state
            number -= 1
            seat = ENGINE.awaited_seats(state)[0]
            state.apply(seat, state.random_action(seat, rng), rng)
            if seed % 4 == 0:
                strew(state, rng)


def strew(state: SwordState, rng: FastRng) -> None:
    """Turn a random card face down, which no game does."""
    chosen = rng.below(ROW_COUNT)
    if state.rows.sizes[chosen] > 0:
        state.rows.turn_down(chosen, LEFT, rng.below(state.rows.sizes[chosen]))


def agrees(state: SwordState) -> None:
    """Every placement in this position, legal or not, agrees with the reference."""
    seat, card = ENGINE.awaited_seats(state)[0], drawn(state)
    legal = set(state.legal_actions(seat))
    sort = KINDS.index(card) + 1 if card in KINDS else 0
    before = has(state, seat)
    for number in range(ROW_COUNT):
        cards = row(state, number + 1).split()
        assert (encode_open_row(sort, number) in legal) == (not cards)
        for side, place in SIDES.items():
            expected = reference(cards, side, card)
            action = encode_place(sort, number, place) if cards else encode_open_row(sort, number)
            assert (action in legal) == (expected is not None)
            if expected is not None:
                does(state, seat, action, number, expected, before)


def does(
    state: SwordState, seat: int, action: int, number: int, expected: Outcome, before: list[str]
) -> None:
    """The placement has the expected outcome for the row and for the player."""
    after = state.clone()
    after.lay_drawn_card(seat, number, action >> 24)
    others = [n for n in range(1, ROW_COUNT + 1) if n != number + 1]
    assert row(after, number + 1).split() == expected.row
    assert [row(after, n) for n in others] == [row(state, n) for n in others]
    assert sorted(has(after, seat)) == sorted([*before, *expected.collected])
    constraints = list(seen(after).players[seat].constraints)
    assert seen(after).players[seat].standing == standing(constraints)
    shown = [{laid.card for laid in cards if laid.is_up} & set(KINDS) for cards in seen(after).rows]
    assert [
        {KINDS[kind] for kind in range(11) if after.rows.has_face_up(n, kind)}
        for n in range(ROW_COUNT)
    ] == shown


def test_every_placement_does_what_the_plainest_reading_says(
    games_count: Callable[[int, int], int],
) -> None:
    number = 0
    for state in positions(games_count(600, 20_000)):
        agrees(state)
        number += 1
    assert number == games_count(600, 20_000)


def test_the_reference_itself_is_right_about_the_printed_rules() -> None:
    assert reference(["red", "FRC"], "right", "red") == Outcome([], ["red", "FRC", "red"])
    assert reference(["true", "red"], "left", "false") is None
    assert reference(["true", "red"], "right", "false") == Outcome(["true", "[red]", "false"], [])
    assert reference([], "left", "true") == Outcome(["true"], [])


def test_random_play_meets_everything_that_the_reference_knows() -> None:
    met = set()
    for state in positions(600):
        cards = [row(state, number).split() for number in range(1, ROW_COUNT + 1)]
        for one in cards:
            outcome = reference(one, "left", drawn(state))
            if outcome is None:
                met.add("refused")
            elif outcome.collected:
                met.add("collected")
            elif any(card.startswith("[") for card in outcome.row):
                met.add("turned")
        met.add("empty" if [] in cards else "full")
    assert met == {"refused", "collected", "turned", "empty", "full"}
