"""The library's search is that of the server's bot."""

from __future__ import annotations

from ai import bot_registry
from ai.bot_kinds import Budget, MctsBot
from tabularium_engines.adapters.mcts import run_search
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import RULESETS

SIMULATIONS = 30


def test_it_decides_alike() -> None:
    for ruleset, engine in RULESETS.items():
        state = engine.start(engine.about.options(), engine.about.seats[0], FastRng(5))
        seat = engine.awaited_seats(state)[0]
        view = engine.view(state, seat)
        bot = bot_registry.create_bot("mcts", *ruleset)
        assert isinstance(bot, MctsBot)
        theirs = bot.choose(engine, view, FastRng(8), Budget(simulations=SIMULATIONS))
        ours = run_search(engine, view, SIMULATIONS, seed=8)
        assert engine.decode(state, seat, ours.best_action()) == theirs.action
        assert int(ours.simulations) == theirs.simulations
