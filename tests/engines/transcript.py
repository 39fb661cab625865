"""Transcripts of seeded games, step by step; promise 13 compares those of two processes.

`python -m tests.engines.transcript GAMES SAMPLE [SLUG …]` writes one line of JSON per step for all
tables of all games, or of these, with a digest of each value that could differ between interpreted
and compiled code. With 0 games it is one game of each, at its last table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.builds import compiled_engines
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.heuristics import HEURISTICS
from tabularium_engines.installed.registry import RULESETS, ruleset_of
from tabularium_engines.promises.action_inputs import malformed_documents, optional_members
from tabularium_engines.promises.decisions import sample_document
from tabularium_engines.promises.hidden_information import refusal_of, viewer_facts
from tabularium_engines.promises.random_games import Position, play
from tabularium_engines.promises.transcripts import digest, last_line, visible_facts
from tabularium_engines.promises.variants import Table, tables
from tabularium_engines.search.ismcts import Search
from tabularium_engines.search.playout import Evaluator, HeuristicEvaluator, RandomRolloutEvaluator
from tests.ai.later import later

FEW_SIMULATIONS, SIMULATIONS = 6, 12  # of each search, in a small and in a large sample
STEPS = 60


def main(games: int, sample: int, slugs: Sequence[str] = ()) -> Iterator[str]:
    """The transcript of some games at every table; the first line gives the mode of the engines."""
    yield json.dumps({"mode": compiled_engines.engine_mode()})
    engines = [engine for each, engine in RULESETS.items() if not slugs or each.slug in slugs]
    all_tables = [table for engine in engines for table in tables(engine)]
    last = {table.engine.about.slug: table for table in all_tables}
    for table in all_tables if games else last.values():
        for seed in range(games or 1):
            for line in transcript_lines(table, seed, sample):
                yield json.dumps(line)


def transcript_lines(table: Table, seed: int, sample: int) -> Iterator[dict[str, Any]]:
    """The lines of a game, one per step, with the results of searches, offers and refusals at a
    sample of positions. Of a long game only some steps are included, unless the sample is large."""
    game = play(table.engine, table.options, table.seats, seed)
    simulations = SIMULATIONS if sample > 1 else FEW_SIMULATIONS
    stride = 1 if sample > 1 else 1 + len(game.positions) // STEPS
    sampled = game.sample(1)
    examined_seqs = {position.seq for position in sampled[:: max(1, 3 // sample)]}
    searched_seqs = {position.seq for position in sampled[:: max(1, 12 // sample)]}
    for index, position in enumerate(game.positions):
        if index % stride and position.seq not in examined_seqs:
            continue
        line = {"table": str(table), "game": seed, "seq": position.seq}
        facts = visible_facts(table.engine, position, seed)
        if position.seq in examined_seqs:
            facts |= offers_and_refusals(table.engine, position, seed)
        if position.seq in searched_seqs:
            facts |= search_results(table.engine, position.state, seed, simulations)
        yield line | {name: digest(value) for name, value in facts.items()}
    yield last_line(table, seed)


def offers_and_refusals(engine: AnyEngine, position: Position, seed: int) -> dict[str, Any]:
    """All that the engine says of actions of every seat: legal, illegal and malformed ones."""
    state, seats = position.state, range(position.state.seats)
    document = sample_document(engine, state)
    malformed = malformed_documents(document, optional_members(engine, document))
    sender = position.seq % len(seats)
    return {
        "offers": [viewer_facts(engine, state, seat, seed, has_picture=False) for seat in seats],
        "sealed": [
            engine.sealed_fields(state, seat, action)
            for seat in seats
            for action in state.legal_actions(seat)
        ],
        "refusals": [refusal_of(engine, state, sender, each) for each in malformed],
    }


def search_results(engine: AnyEngine, state: State, seed: int, simulations: int) -> dict[str, Any]:
    """The results of seeded searches in this state."""
    results = []
    for seat in engine.awaited_seats(state):
        for evaluator in evaluators(engine):
            search = Search(state.clone(), seat, evaluator, FastRng(seed))
            search.run(simulations)
            visits = [int(search.visits(action)) for action in state.legal_actions(seat)]
            results.append([int(search.best_action()), visits])
    return {"search": results}


def evaluators(engine: AnyEngine) -> list[Evaluator]:
    """All evaluators of a game: the random playout, the heuristic by its own rule, and the
    heuristic after two decisions."""
    heuristic = HEURISTICS.get(ruleset_of(engine))
    if heuristic is None:
        return [RandomRolloutEvaluator()]
    return [
        RandomRolloutEvaluator(),
        HeuristicEvaluator(heuristic),
        HeuristicEvaluator(later(heuristic, 2)),
    ]


if __name__ == "__main__":
    for transcript_line in main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]):
        sys.stdout.write(transcript_line + "\n")
