"""Whole games, checked from an onlooker's views: every line of three is a branch whose law holds,
the tableau is connected, and each turn has exactly the effects that its news reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law.cards import CARD_CODES
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import Options
from tabularium_engines.duel_of_law.laws.joker_solver import holds
from tabularium_engines.duel_of_law.view import (
    Branch,
    Tableau,
    View,
    clause_code,
    tableau_from_view,
)
from tests.engines.duel_of_law.tables import FIRST

Spot = tuple[int, int]
Key = tuple[str, Spot]
STEP_BY_AXIS = {"across": (0, 1), "down": (1, 0)}


@dataclass(frozen=True)
class Turn:
    """The table after a turn that laid cards, and the kinds of news items it published."""

    view: View
    state: DuelState
    kinds: tuple[str, ...]
    mover: int


@cache
def turns(seats: int, seed: int, is_random: bool) -> tuple[Turn, ...]:
    """All turns of a game, with uniformly random actions or with `random_action`."""
    return tuple(_play_turns(seats, seed, is_random))


def _play_turns(seats: int, seed: int, is_random: bool) -> Iterator[Turn]:
    rng = FastRng(seed)
    state = FIRST.start(Options(), seats, rng)
    while state.to_act:
        seat = int(state.turn.seat)
        actions = state.legal_actions(seat) if is_random else []
        action = actions[rng.below(len(actions))] if is_random else state.random_action(seat, rng)
        before = state.turn.before
        state.apply(seat, action, rng)
        if state.turn.before is not before or not state.to_act:
            kinds = tuple(item.kind for item in state.news)
            yield Turn(FIRST.view(state, None), state.clone(), kinds, seat)


def lines_of_three(tableau: Tableau) -> dict[Key, list[str]]:
    """Every row and column of three cards or more, by its axis and its first place."""
    card_by_spot = {(laid.row, laid.column): laid.card for laid in tableau.cards}
    lines = {}
    for axis, (down, right) in STEP_BY_AXIS.items():
        for row, column in card_by_spot:
            if (row - down, column - right) not in card_by_spot:
                cards = []
                spot = row, column
                while spot in card_by_spot:
                    cards.append(card_by_spot[spot])
                    spot = spot[0] + down, spot[1] + right
                if len(cards) > 2:
                    lines[axis, (row, column)] = cards
    return lines


def connected_spots(tableau: Tableau) -> set[Spot]:
    """The places of all cards that are connected to the first one."""
    occupied = {(laid.row, laid.column) for laid in tableau.cards}
    spots, frontier = set[Spot](), [(0, 0)]
    while frontier:
        row, column = frontier.pop()
        if (row, column) in occupied - spots:
            spots.add((row, column))
            steps = ((0, 1), (0, -1), (1, 0), (-1, 0))
            frontier += [(row + down, column + right) for down, right in steps]
    return spots


@pytest.mark.parametrize("is_random", [True, False], ids=["any", "lawful"])
def test_every_line_of_three_is_a_branch_that_follows_its_law(
    is_random: bool, games_count: Callable[[int, int], int]
) -> None:
    line_count = 0
    for seed in range(1, 1 + games_count(1, 30)):
        for turn in turns(2 + (seed - 1) % 3, seed, is_random=is_random):
            expected = lines_of_three(turn.view.tableau)
            branches: dict[Key, Branch] = {
                (branch_view.axis, (branch_view.row, branch_view.column)): branch_view
                for branch_view in turn.view.tableau.branches
            }
            assert branches.keys() == expected.keys()
            wilds = tableau_from_view(turn.view.tableau).wilds
            for key, cards in expected.items():
                law = vec[i64](map(clause_code, branches[key].law))
                assert branches[key].size == len(cards)
                assert holds(vec[i64](map(CARD_CODES.index, cards)), law, wilds)
            line_count += len(expected)
    assert line_count > 50


def test_the_tableau_is_connected_and_grows_in_every_turn() -> None:
    card_count = 1
    for turn in turns(3, 8, is_random=False):
        cards = turn.view.tableau.cards
        assert len(connected_spots(turn.view.tableau)) == len(cards)
        assert len(cards) == card_count + turn.kinds.count("laid")
        card_count = len(cards)
    assert card_count > 20


def test_branches_change_owners_only_by_claims_and_bridges() -> None:
    before: dict[int, int] = {}
    for turn in turns(3, 8, is_random=False):
        owned = turn.view.owned
        assert sum(owned) == len(turn.view.tableau.branches)
        claim_count = turn.kinds.count("claimed")
        if "bridged" not in turn.kinds:
            assert sum(owned) == sum(before.values()) + claim_count
            growth = claim_count + turn.kinds.count("duelled")
            assert owned[turn.mover] == before.get(turn.mover, 0) + growth
        before = dict(enumerate(owned))
    assert sum(before.values()) > 5


def test_levels_are_the_heights_of_the_stacks() -> None:
    for turn in turns(3, 8, is_random=False):
        for branch in turn.state.turn.before.branches:
            assert branch.level == len(branch.tokens) == len(set(branch.law)) > 0


def test_the_values_of_jokers_only_shrink(games_count: Callable[[int, int], int]) -> None:
    joker_count = 0
    for seed in range(1, 1 + games_count(1, 10)):
        before: dict[tuple[str, str], set[str]] = {}
        for turn in turns(2, seed, is_random=True):
            after = {
                (joker.card, feature_view.feature): set(feature_view.values)
                for joker in turn.view.tableau.jokers
                for feature_view in joker.is_now
            }
            assert before.keys() <= after.keys()
            assert all(after[key] <= values for key, values in before.items())
            before = after
        joker_count += len(before)
    assert joker_count


def test_a_game_ends_by_a_lead_or_by_passes(games_count: Callable[[int, int], int]) -> None:
    for seed in range(1, 1 + games_count(1, 10)):
        for is_random in (True, False):
            last = turns(2, seed, is_random=is_random)[-1]
            result = FIRST.result(last.state)
            assert result is not None
            if last.view.ending == "lead":
                assert last.view.is_open
                first, second = sorted(last.view.owned, reverse=True)
                assert first >= second + 2
            else:
                assert last.view.deck == 0
                assert last.kinds == ("passed", "ended")


def test_games_of_random_lawful_turns_end_within_the_bound(
    games_count: Callable[[int, int], int],
) -> None:
    for seed in range(games_count(3, 3_000)):
        chance = FastRng(seed)
        state = FIRST.start(FIRST.about.options(), 2 + seed % 3, chance)
        cards = state.cards()
        decisions = 0
        while awaited := FIRST.awaited_seats(state):
            state.apply(awaited[0], state.random_action(awaited[0], chance), chance)
            decisions += 1
        assert decisions <= FIRST.about.max_actions
        assert state.cards() == cards
        assert FIRST.result(state)
