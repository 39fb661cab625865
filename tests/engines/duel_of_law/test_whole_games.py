"""Whole games, checked from an onlooker's views: every line of three is a branch whose law holds,
the tableau is connected, and each turn has exactly the effects that its news reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from games.engines.common.rng import FastRng
from games.engines.duel_of_law import ENGINE
from games.engines.duel_of_law.cards import CARD_CODES
from games.engines.duel_of_law.game_logic import DuelState
from games.engines.duel_of_law.game_options import Options
from games.engines.duel_of_law.language.law_evaluation import holds
from games.engines.duel_of_law.view import Branch, Tableau, View, clause_code, tableau_from_view

Spot = tuple[int, int]
Key = tuple[str, Spot]
WAYS = {"across": (0, 1), "down": (1, 0)}


@dataclass(frozen=True)
class Turn:
    """The table after a turn that laid cards, and the kinds of news items it published."""

    view: View
    state: DuelState
    kinds: tuple[str, ...]
    mover: int


@cache
def turns(seats: int, seed: int, random: bool) -> tuple[Turn, ...]:
    """All turns of a game, with uniformly random actions or with `random_action`."""
    return tuple(_played(seats, seed, random))


def _played(seats: int, seed: int, random: bool) -> Iterator[Turn]:
    rng = FastRng(seed)
    state = ENGINE.start(Options(), seats, rng)
    while state.to_act:
        seat = int(state.turn)
        legal = state.legal_actions(seat) if random else []
        action = legal[rng.below(len(legal))] if random else state.random_action(seat, rng)
        before = state.before
        state.apply(seat, action, rng)
        if state.before is not before or not state.to_act:
            kinds = tuple(item.kind for item in state.news)
            yield Turn(ENGINE.view(state, None), state.clone(), kinds, seat)


def lines(seen: Tableau) -> dict[Key, list[str]]:
    """Every row and column of three cards or more, by its axis and its first place."""
    lying = {(laid.row, laid.column): laid.card for laid in seen.cards}
    found = {}
    for axis, (down, right) in WAYS.items():
        for row, column in lying:
            if (row - down, column - right) not in lying:
                cards = []
                spot = row, column
                while spot in lying:
                    cards.append(lying[spot])
                    spot = spot[0] + down, spot[1] + right
                if len(cards) > 2:
                    found[axis, (row, column)] = cards
    return found


def reached(seen: Tableau) -> set[Spot]:
    """The places of all cards that are connected to the first one."""
    lying = {(laid.row, laid.column) for laid in seen.cards}
    found, waiting = set[Spot](), [(0, 0)]
    while waiting:
        row, column = waiting.pop()
        if (row, column) in lying - found:
            found.add((row, column))
            steps = ((0, 1), (0, -1), (1, 0), (-1, 0))
            waiting += [(row + down, column + right) for down, right in steps]
    return found


@pytest.mark.parametrize("random", [True, False], ids=["any", "lawful"])
def test_every_line_of_three_is_a_branch_that_follows_its_law(
    random: bool, games_count: Callable[[int, int], int]
) -> None:
    laid = 0
    for seed in range(1, 1 + games_count(1, 30)):
        for turn in turns(2 + (seed - 1) % 3, seed, random=random):
            expected = lines(turn.view.tableau)
            found: dict[Key, Branch] = {
                (one.axis, (one.row, one.column)): one for one in turn.view.tableau.branches
            }
            assert found.keys() == expected.keys()
            wilds = tableau_from_view(turn.view.tableau).wilds
            for key, cards in expected.items():
                law = vec[i64](map(clause_code, found[key].law))
                assert found[key].size == len(cards)
                assert holds(vec[i64](map(CARD_CODES.index, cards)), law, wilds)
            laid += len(expected)
    assert laid > 50


def test_the_tableau_hangs_together_and_grows_in_every_turn() -> None:
    number = 1
    for turn in turns(3, 8, random=False):
        cards = turn.view.tableau.cards
        assert len(reached(turn.view.tableau)) == len(cards)
        assert len(cards) == number + turn.kinds.count("laid")
        number = len(cards)
    assert number > 20


def test_branches_change_hands_only_by_claims_and_bridges() -> None:
    before: dict[int, int] = {}
    for turn in turns(3, 8, random=False):
        owned = turn.view.owned
        assert sum(owned) == len(turn.view.tableau.branches)
        gained = turn.kinds.count("claimed")
        if "bridged" not in turn.kinds:
            assert sum(owned) == sum(before.values()) + gained
            grown = gained + turn.kinds.count("duelled")
            assert owned[turn.mover] == before.get(turn.mover, 0) + grown
        before = dict(enumerate(owned))
    assert sum(before.values()) > 5


def test_levels_are_the_heights_of_the_stacks() -> None:
    for turn in turns(3, 8, random=False):
        for branch in turn.state.before.branches:
            assert branch.level == len(branch.tokens) == len(set(branch.law)) > 0


def test_jokers_only_ever_shrink(games_count: Callable[[int, int], int]) -> None:
    seen_jokers = 0
    for seed in range(1, 1 + games_count(1, 10)):
        before: dict[tuple[str, str], set[str]] = {}
        for turn in turns(2, seed, random=True):
            now = {
                (joker.card, one.feature): set(one.values)
                for joker in turn.view.tableau.jokers
                for one in joker.is_now
            }
            assert before.keys() <= now.keys()
            assert all(now[key] <= values for key, values in before.items())
            before = now
        seen_jokers += len(before)
    assert seen_jokers


def test_a_game_ends_when_it_must(games_count: Callable[[int, int], int]) -> None:
    for seed in range(1, 1 + games_count(1, 10)):
        for random in (True, False):
            last = turns(2, seed, random=random)[-1]
            result = ENGINE.result(last.state)
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
        state = ENGINE.start(ENGINE.about.options(), 2 + seed % 3, chance)
        cards = state.cards()
        decisions = 0
        while awaited := ENGINE.awaited_seats(state):
            state.apply(awaited[0], state.random_action(awaited[0], chance), chance)
            decisions += 1
        assert decisions <= ENGINE.about.max_actions
        assert state.cards() == cards
        assert ENGINE.result(state)
