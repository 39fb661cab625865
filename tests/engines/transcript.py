"""Transcripts of seeded games, step by step; promise 13 compares those of two processes.

`python -m tests.engines.transcript GAMES SAMPLE [SLUG …]` writes one line of JSON per step for all
tables of all games, or of these, with a digest of each value that could differ between interpreted
and compiled code.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from ai.bot_registry import HEURISTICS
from ai.search.ismcts import Search
from ai.search.playout import Evaluator, HeuristicEvaluator, RandomRolloutEvaluator
from games import compiled_engines
from games.engines.base import Engine, State
from games.engines.common.rng import FastRng
from games.registry import RULESETS, ruleset_of
from tests.ai.later import Later
from tests.engines.random_games import Position, all_viewers, news_of_all_viewers, play, viewer_seat
from tests.engines.variants import Table, tables

FEW_SIMULATIONS, SIMULATIONS = 6, 12  # of each search, in a small and in a large sample
STEPS = 100

Rules = Engine[Any, Any]


def main(games: int, sample: int, slugs: Sequence[str] = ()) -> Iterator[str]:
    """The transcript of some games at every table; the first line gives the mode of the engines."""
    yield json.dumps({"mode": compiled_engines.engine_mode()})
    engines = [engine for each, engine in RULESETS.items() if not slugs or each.slug in slugs]
    for table in [table for engine in engines for table in tables(engine)]:
        for seed in range(games):
            for line in transcript_lines(table, seed, sample):
                yield json.dumps(line)


def transcript_lines(table: Table, seed: int, sample: int) -> Iterator[dict[str, Any]]:
    """The lines of a game, one per step, with the results of searches at a sample of positions. Of
    a long game only some steps are included, unless the sample is large."""
    game = play(table.engine, table.options, table.seats, seed)
    simulations = SIMULATIONS if sample > 1 else FEW_SIMULATIONS
    stride = 1 if sample > 1 else 1 + len(game.positions) // STEPS
    searched_seqs = {position.seq for position in game.sample(1)[:: max(1, 12 // sample)]}
    for index, position in enumerate(game.positions):
        if index % stride and position.seq not in searched_seqs:
            continue
        line = {"table": str(table), "game": seed, "seq": position.seq}
        facts = visible_facts(table.engine, position, seed)
        if position.seq in searched_seqs:
            facts |= search_results(table.engine, position.state, seed, simulations)
        yield line | {name: digest(value) for name, value in facts.items()}
    yield {"table": str(table), "game": seed, "playout": playout_digest(table, seed)}


def digest(value: Any) -> str:
    """A short digest of a value."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]


def visible_facts(engine: Rules, position: Position, seed: int) -> dict[str, Any]:
    """All facts of a step that any viewer may see, and two worlds."""
    state = position.state
    viewer = all_viewers(state)[position.seq % (state.seats + 1)]
    view = engine.view(state, viewer)
    legal_actions = [[int(action) for action in state.legal_actions(s)] for s in range(state.seats)]
    worlds = state.clone(), engine.imagine(view, FastRng(seed))
    worlds[0].determinize(viewer_seat(viewer), FastRng(seed))
    return {
        "step": [position.seat, position.action, position.draws],
        "contents": state.contents(),
        "cards": [int(card) for card in state.cards()],
        "views": [engine.view(state, seat) for seat in all_viewers(state)],
        "legal actions": legal_actions,
        "labels": [
            engine.label(state, s, a)
            for s, seat_actions in enumerate(legal_actions)
            for a in seat_actions
        ],
        "news": news_of_all_viewers(engine, state),
        "result": [engine.result(state), state.returns()],
        "worlds": [world.contents() for world in worlds],
    }


def search_results(engine: Rules, state: State, seed: int, simulations: int) -> dict[str, Any]:
    """The results of seeded searches in this state."""
    results = []
    for seat in engine.awaited_seats(state):
        for evaluator in evaluators(engine):
            search = Search(state.clone(), seat, evaluator, FastRng(seed))
            search.run(simulations)
            visits = [int(search.visits(action)) for action in state.legal_actions(seat)]
            results.append([int(search.best_action()), visits])
    return {"search": results}


def evaluators(engine: Rules) -> list[Evaluator]:
    """All evaluators of a game: the random playout, the heuristic by its own rule, and the
    heuristic after two decisions."""
    heuristic = HEURISTICS.get(ruleset_of(engine))
    if heuristic is None:
        return [RandomRolloutEvaluator()]
    return [
        RandomRolloutEvaluator(),
        HeuristicEvaluator(heuristic),
        HeuristicEvaluator(Later(heuristic, 2)),
    ]


def playout_digest(table: Table, seed: int) -> str:
    """A digest of the end of a game played by `random_action`."""
    rng = FastRng(seed)
    state = table.engine.start(table.options, table.seats, rng)
    while state.to_act:
        seat = table.engine.awaited_seats(state)[0]
        state.apply(seat, state.random_action(seat, rng), rng)
    return digest([state.contents(), state.returns()])


def promise_13(interpreted: Iterable[str], compiled_: Iterable[str]) -> None:
    """Interpreted and compiled engines agree on every step of a seeded game."""
    pairs = zip_longest(interpreted, compiled_, fillvalue="{}")
    modes = [json.loads(line) for line in next(pairs)]
    assert modes == [{"mode": "interpreted"}, {"mode": "compiled"}], f"compared were {modes}"
    for lines in pairs:
        if lines[0] != lines[1]:
            interpreted_line, compiled_line = (json.loads(line) for line in lines)
            step_name = ", ".join(
                f"{name} {interpreted_line.get(name)}" for name in ("table", "game", "seq")
            )
            field_names = [
                name
                for name in interpreted_line | compiled_line
                if interpreted_line.get(name) != compiled_line.get(name)
            ]
            raise AssertionError(f"{step_name}: they differ in {', '.join(field_names)}")


if __name__ == "__main__":
    for transcript_line in main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]):
        sys.stdout.write(transcript_line + "\n")
