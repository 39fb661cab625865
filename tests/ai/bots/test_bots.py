"""Bots: their answers are legal, in time, and depend on their view alone."""

from __future__ import annotations

import gc
import inspect
import signal
from collections.abc import Callable
from time import monotonic
from types import FrameType
from typing import Any

import pytest

from ai import bot_kinds
from ai.arena.contest import Contest, Match
from ai.arena.contestants import Contestant
from ai.bot_kinds import Bot, Budget, MctsBot
from ai.bot_registry import COMMON_BOT_NAMES, create_bot
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.heuristics import HEURISTICS, TUNINGS
from tabularium_engines.installed.registry import ENGINES, RULESETS
from tabularium_engines.law_of_the_dice import ENGINE
from tabularium_engines.law_of_the_dice.game_options import Options
from tabularium_engines.search.ismcts import Search
from tabularium_engines.search.playout import RandomRolloutEvaluator

SLUG = "law_of_the_dice"


@pytest.fixture(
    params=[(name, slug) for name in COMMON_BOT_NAMES for slug in ENGINES], ids="-".join
)
def player(request: pytest.FixtureRequest) -> tuple[Bot, Any]:
    """Every bot of every game, and the game's engine."""
    name, slug = request.param
    return create_bot(name, slug), ENGINES[slug]


def test_every_game_has_a_heuristic() -> None:
    assert set(HEURISTICS) == set(RULESETS)
    assert set(TUNINGS) == set(ENGINES)


def test_a_whole_table_of_one_bot_plays_to_the_end(
    player: tuple[Bot, Any],
) -> None:
    bot, engine = player
    match = Match(
        engine, engine.about.options(), engine.about.seats[0], Contestant(bot), Contestant(bot)
    )
    assert match.play_one(3, 0) in (0.0, 1 / 4, 1 / 3, 1 / 2, 1.0)


def test_a_search_of_fixed_length_does_not_look_at_the_clock(ticks: list[float]) -> None:
    state = ENGINE.start(Options(), 2, FastRng(8))
    view = ENGINE.view(state, ENGINE.awaited_seats(state)[0])
    budget = Budget(100, simulations=150)
    decisions = [
        create_bot("mcts", SLUG).choose(ENGINE, view, FastRng(1), budget) for _ in range(2)
    ]
    assert decisions[0] == decisions[1]
    assert decisions[0].simulations == 150
    assert sum(estimate.visits - 1 for estimate in decisions[0].estimates) == 150


def test_equal_views_get_equal_answers(player: tuple[Bot, Any]) -> None:
    bot, engine = player
    if isinstance(bot, MctsBot):
        bot = MctsBot(RandomRolloutEvaluator(), 0.7)
    state = engine.start(engine.about.options(), engine.about.seats[0], FastRng(8))
    seat = engine.awaited_seats(state)[0]
    decisions = set()
    for seed in range(3):
        world = state.clone()
        world.determinize(seat, FastRng(seed))
        view = engine.view(world, seat)
        decisions.add(bot.choose(engine, view, FastRng(1), Budget()))
    assert len(decisions) == 1


def test_a_bot_is_given_no_state() -> None:
    for kind in (bot_kinds.RandomBot, bot_kinds.GreedyBot, bot_kinds.MctsBot):
        parameters = list(inspect.signature(kind.choose).parameters)
        assert parameters == ["self", "engine", "view", "rng", "budget"]


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that advances by a tenth of a second each time it is read."""
    read: list[float] = []

    def clock() -> float:
        read.append(len(read) / 10)
        return read[-1]

    monkeypatch.setattr(bot_kinds, "monotonic", clock)
    return read


def test_a_search_begins_nothing_that_it_cannot_finish(ticks: list[float]) -> None:
    state = ENGINE.start(Options(), 2, FastRng(8))
    view = ENGINE.view(state, ENGINE.awaited_seats(state)[0])
    decision = create_bot("mcts", SLUG).choose(ENGINE, view, FastRng(1), Budget(0.55))
    # A simulation takes a tenth of a second, because reading the clock does: the readings are the
    # start, the first look at all actions, and the simulations that fit into the rest.
    assert ticks == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert decision.simulations == 5


def test_a_quick_search_is_interrupted_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    slices: list[int] = []

    class Quick:
        """A search whose simulations take a ten-thousandth of a second each."""

        simulations = 0

        def run(self, number: int) -> None:
            slices.append(number)
            self.simulations += number

    search: Any = Quick()
    monkeypatch.setattr(bot_kinds, "monotonic", lambda: search.simulations / 10_000)
    bot_kinds.search_within_budget(Budget(0.5), search, 0.0)
    assert sum(slices) == pytest.approx(5000 * bot_kinds.SEARCH_TIME_SHARE, abs=2)
    assert max(slices) <= 51
    assert len(slices) < 120


def test_a_forced_decision_takes_no_time(ticks: list[float]) -> None:
    from tests.engines.law_of_the_dice.tables import table

    state = table(["", "2S"])
    create_bot("mcts", SLUG).choose(ENGINE, ENGINE.view(state, 0), FastRng(1), Budget(100))
    assert len(ticks) == 1


class Stop(Exception):
    """An exception like that of a worker's time limit."""


def test_a_signal_is_heard_while_a_bot_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(signum: int, frame: FrameType | None) -> None:
        raise Stop

    def clock() -> float:
        """The time; the first call shows that the bot has begun to search, and starts the timer."""
        if not searches:
            searches.append(True)
            signal.setitimer(signal.ITIMER_REAL, 0.05)
        return monotonic()

    searches: list[bool] = []
    monkeypatch.setattr(bot_kinds, "monotonic", clock)

    state = ENGINE.start(Options(), 2, FastRng(8))
    view = ENGINE.view(state, ENGINE.awaited_seats(state)[0])
    previous_handler = signal.signal(signal.SIGALRM, stop)
    try:
        with pytest.raises(Stop):
            create_bot("mcts", SLUG).choose(ENGINE, view, FastRng(1), Budget(3600))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous_handler)


def test_nothing_is_collected_until_a_search_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    collecting: list[bool] = []
    remaining: list[int] = []
    enable = gc.enable

    def ask_the_time() -> float:
        collecting.append(gc.isenabled())
        return 0.0

    def count_and_enable() -> None:
        remaining.append(sum(type(it) is Search for it in gc.get_objects()))
        enable()

    state = ENGINE.start(Options(), 2, FastRng(8))
    view = ENGINE.view(state, ENGINE.awaited_seats(state)[0])
    gc.collect()  # garbage of other tests would otherwise be collected during this one
    there_before = sum(type(it) is Search for it in gc.get_objects())
    monkeypatch.setattr(bot_kinds, "monotonic", ask_the_time)
    monkeypatch.setattr(gc, "enable", count_and_enable)
    create_bot("mcts", SLUG).choose(ENGINE, view, FastRng(1), Budget(simulations=50))
    assert collecting
    assert not any(collecting)
    assert remaining == [there_before]
    assert gc.isenabled()


# -- strength -------------------------------------------------------------------------------------


@pytest.mark.one_mode
@pytest.mark.parametrize("seats", [2, 4])
def test_greedy_beats_random(seats: int, games_count: Callable[[int, int], int]) -> None:
    assert Contest(SLUG, "greedy", "random", seats).play_and_score(games_count(24, 400)).is_better


@pytest.mark.one_mode
@pytest.mark.soak
@pytest.mark.parametrize("seats", [2, 4])
def test_mcts_beats_greedy(seats: int) -> None:
    assert Contest(SLUG, "mcts:1000", "greedy", seats).play_and_score(400).is_better
