"""Do the bots answer legally, in time, and from their view alone?"""

from __future__ import annotations

import inspect
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from ai import bots
from ai.arena.match import Match
from ai.arena.statistics import Score, score
from ai.bots import SLICE, Bot, MctsBot
from ai.registry import BOTS, HEURISTICS, TUNINGS, bot, searcher
from ai.search.playout import PlayToEnd
from games.engines.common.rng import FastRng
from games.engines.law_of_the_dice import ENGINE
from games.engines.law_of_the_dice.options import Options
from games.registry import ENGINES

SLUG = "law_of_the_dice"


@pytest.fixture(params=[(name, slug) for name in BOTS for slug in ENGINES], ids="-".join)
def player(request: pytest.FixtureRequest) -> tuple[Bot, Any]:
    """Every bot of every game, and the game's engine."""
    name, slug = request.param
    return bot(name, slug), ENGINES[slug]


def test_every_game_has_a_heuristic() -> None:
    assert set(HEURISTICS) == set(TUNINGS) == set(ENGINES)


def test_a_whole_table_of_one_bot_plays_to_the_end(
    player: tuple[Bot, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    who, engine = player
    monkeypatch.setattr(bots, "SLICE", 3)
    match = Match(engine, engine.about.options(), engine.about.seats[0], who, who, seconds=0)
    assert match.play_one(3, 0) in (0.0, 1 / 4, 1 / 3, 1 / 2, 1.0)


def test_a_search_of_fixed_length_does_not_look_at_the_clock(ticks: list[float]) -> None:
    state = ENGINE.start(Options(), 2, FastRng(8))
    view = ENGINE.view(state, ENGINE.awaited(state)[0])
    choices = [searcher(SLUG, 150).choose(ENGINE, view, FastRng(1), 100) for _ in range(2)]
    assert not ticks
    assert choices[0] == choices[1]


def test_equal_views_get_equal_answers(player: tuple[Bot, Any]) -> None:
    who, engine = player
    if isinstance(who, MctsBot):
        who = MctsBot(PlayToEnd(), 0.7)
    state = engine.start(engine.about.options(), engine.about.seats[0], FastRng(8))
    seat = engine.awaited(state)[0]
    answers = set()
    for seed in range(3):
        world = state.clone()
        world.determinize(seat, FastRng(seed))
        view = engine.view(world, seat)
        answers.add(who.choose(engine, view, FastRng(1), 0))
    assert len(answers) == 1


def test_a_bot_is_given_no_state() -> None:
    for kind in (bots.RandomBot, bots.GreedyBot, bots.MctsBot):
        parameters = list(inspect.signature(kind.choose).parameters)
        assert parameters == ["self", "engine", "view", "rng", "seconds"]


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that goes on by a tenth of a second each time it is read."""
    read: list[float] = []

    def clock() -> float:
        read.append(len(read) / 10)
        return read[-1]

    monkeypatch.setattr(bots, "monotonic", clock)
    return read


def test_a_search_looks_at_the_clock_between_slices(ticks: list[float]) -> None:
    state = ENGINE.start(Options(), 2, FastRng(8))
    view = ENGINE.view(state, ENGINE.awaited(state)[0])
    bot("mcts", SLUG).choose(ENGINE, view, FastRng(1), 0.5)
    assert len(ticks) == 1 + 5  # the start, and one look after each slice
    assert SLICE <= 1000


def test_a_forced_decision_takes_no_time(ticks: list[float]) -> None:
    from tests.engines.law_of_the_dice.tables import table

    state = table(["", "2S"])
    bot("mcts", SLUG).choose(ENGINE, ENGINE.view(state, 0), FastRng(1), 100)
    assert not ticks


class Stop(Exception):
    """What a worker's time limit raises."""


def test_a_signal_is_heard_while_a_bot_thinks() -> None:
    def stop(signum: int, frame: FrameType | None) -> None:
        raise Stop

    state = ENGINE.start(Options(), 2, FastRng(8))
    view = ENGINE.view(state, ENGINE.awaited(state)[0])
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(Stop):
            bot("mcts", SLUG).choose(ENGINE, view, FastRng(1), 3600)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# -- strength -------------------------------------------------------------------------------------


def shares(match: Match, games: int) -> Score:
    """What the challenger gets out of about so many games."""
    return score([match.play_block(deal) for deal in range(-(-games // match.seats))])


@pytest.mark.parametrize("seats", [2, 4])
def test_greedy_beats_random(seats: int, games_count: Callable[[int, int], int]) -> None:
    match = Match(ENGINE, Options(), seats, bot("greedy", SLUG), bots.RandomBot(), 0)
    assert shares(match, games_count(40, 400)).is_better


@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 4])
def test_mcts_beats_greedy_in_a_fifth_of_a_second(seats: int) -> None:
    mcts, greedy = (bot(name, SLUG) for name in ("mcts", "greedy"))
    assert shares(Match(ENGINE, Options(), seats, mcts, greedy, 0.2), 300).is_better
