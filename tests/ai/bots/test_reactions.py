"""Reactions of bots: a seat that the game does not wait for acts, or waits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from ai.arena.contest import Contest
from ai.arena.contestants import parse_contestant
from tabularium_engines.common.bits import count
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.heuristics import HEURISTICS
from tabularium_engines.installed.registry import Ruleset
from tabularium_engines.law import ENGINE
from tabularium_engines.law import actions as a
from tabularium_engines.law.game_logic import LawState
from tests.engines.law.tables import BILLS, legal_bills, table

SEATS: Final = 4
POSITIONS: Final = 24
MIN_SHARE: Final = 0.95
HEURISTIC: Final = HEURISTICS[Ruleset("law", ENGINE.about.version)]


def may_win(state: LawState, seat: int) -> bool:
    """Whether a Bill wins for the seat, before any Event."""
    short = state.laws_needed(seat) - count(state.laws[seat])
    return bool(legal_bills(state, seat)) and state.parameters[seat].collects >= short


def greedy_positions(deal: int) -> Iterator[LawState]:
    """The positions of a game in which greedy bots never react."""
    chance, rng = FastRng(deal), FastRng(deal + 1)
    state = ENGINE.start(ENGINE.about.options(), SEATS, chance)
    bot = parse_contestant("greedy", "law")
    while state.to_act:
        yield state
        seat = ENGINE.awaited_seats(state)[0]
        action = bot.choose_action(ENGINE, state, seat, rng)
        state.apply(seat, ENGINE.encode(state, seat, action), chance)


@cache
def last_bills() -> tuple[tuple[LawState, int], ...]:
    """Positions in which a waiting seat holds the last Bill that it needs, at most one a turn."""
    found: list[tuple[LawState, int]] = []
    deal = 0
    while len(found) < POSITIONS:
        turns: set[tuple[int, int, int]] = set()
        for state in greedy_positions(deal):
            for seat in ENGINE.reacting_seats(state):
                turn = int(state.turn), int(state.end.quiet), seat
                if turn not in turns and may_win(state, seat):
                    turns.add(turn)
                    found.append((state.clone(), seat))
        deal += 1
    return tuple(found)


@pytest.mark.lane("slow")
@pytest.mark.one_mode
@pytest.mark.parametrize("bot", ["greedy", "mcts:200"])
def test_a_waiting_bot_plays_the_bill_with_which_it_wins(bot: str) -> None:
    contestant = parse_contestant(bot, "law")
    played = 0
    for number, (state, seat) in enumerate(last_bills()):
        action = contestant.choose_action(ENGINE, state, seat, FastRng(number))
        played += isinstance(action, BILLS)
    assert played / len(last_bills()) >= MIN_SHARE


@pytest.mark.lane("slow")
@pytest.mark.one_mode
def test_a_bot_that_is_mute_or_random_never_does() -> None:
    for bot in ("mute:50", "random"):
        contestant = parse_contestant(bot, "law")
        for number, (state, seat) in enumerate(last_bills()):
            assert contestant.choose_action(ENGINE, state, seat, FastRng(number)) is None


@pytest.mark.parametrize("bot", ["greedy", "careless", "mcts:100", "mcts:50*2"])
def test_a_seat_without_a_reaction_waits(bot: str) -> None:
    state = table(["2S 9H", "3C 10H JD", "7S 8H"], takes=3)
    assert ENGINE.reacting_seats(state) == [1]
    if bot == "careless":
        bot = "level_1"
    assert parse_contestant(bot, "law").choose_action(ENGINE, state, 1, FastRng(1)) is None


def test_greedy_waits_unless_an_action_looks_better() -> None:
    state = table(["2S 9H", "3C 10H JD 6S"], {0: "AD"}, takes=3)
    assert state.legal_actions(1) == [ENGINE.action_codec.to_int(a.Trade())]
    contestant = parse_contestant("greedy", "law")
    assert {contestant.choose_action(ENGINE, state, 1, FastRng(n)) for n in range(20)} == {None}


def test_the_value_of_waiting_is_that_of_the_position() -> None:
    state = table(["2S 9H", "7S 7H 7D JD"], takes=3)
    view = ENGINE.view(state, 1)
    player = parse_contestant("mcts:1", "law")
    tried = player.bot.choose(ENGINE, view, FastRng(1), player.budget).estimates
    (wait,) = (estimate for estimate in tried if estimate.action is None)
    assert 0 < wait.value < 1
    if wait.visits == 1:
        assert wait.value == pytest.approx(HEURISTIC.value(state, 1), abs=0.02)


@pytest.mark.one_mode
@pytest.mark.soak
@pytest.mark.parametrize("seats", [3, 4])
def test_a_search_that_reacts_beats_one_that_does_not(seats: int) -> None:
    assert Contest("law", "mcts:300", "mute:300", seats).play_and_score(400).is_better
