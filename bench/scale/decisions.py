"""The processor time that a bot takes for one action, by ruleset and bot, in this process."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time
from typing import Any, Final

from ai.arena.contest import next_action
from ai.arena.contestants import parse_contestant
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tests.crowd.plans import searcher_of

DECISIONS: Final = 200
MAX_SECONDS: Final = 15.0  # of thinking; then fewer decisions have to do


def measure_decisions() -> dict[str, dict[str, float]]:
    """The seconds of each decision of the crowd's bots, by ruleset and bot."""
    return {slug: {bot: _seconds(slug, bot) for bot in _bots(slug)} for slug in sorted(ENGINES)}


def _bots(slug: str) -> Iterator[str]:
    yield from ("random", "greedy")
    if searcher := searcher_of(slug):
        yield searcher


def _seconds(slug: str, name: str) -> float:
    """The mean over games in which this bot has all seats."""
    engine, contestant, bot_rng = ENGINES[slug], parse_contestant(name, slug), FastRng(1)
    options, seats = engine.about.options(), engine.about.seats[0]
    seconds, decisions, deal = 0.0, 0, 0

    def choose(seat: int) -> Any:
        nonlocal seconds
        began = process_time()
        action = contestant.choose_action(engine, state, seat, bot_rng)
        seconds += process_time() - began
        return action

    state: Any = None
    while decisions < DECISIONS and seconds < MAX_SECONDS:
        if state is None or not state.to_act:
            chance, reacted = FastRng(deal := deal + 1), 0
            state = engine.start(options, seats, chance)
        seat, action = next_action(engine, state, reacted, choose)
        reacted = engine.reacted_after(state, reacted, seat)
        state.apply(seat, engine.encode(state, seat, action), chance)
        decisions += 1
    return seconds / decisions
