"""Stored decisions of bots, and the code that makes them again: see `test_equal_code.py`.

`python -m tests.ai.decisions SLUG [VERSION]` writes new ones, for the newest version by default.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

from ai import levels, view_guard
from ai.bot_kinds import Budget
from ai.bot_registry import create_searcher
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common import json_codec
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES, Ruleset, find_engine, ruleset_of
from tabularium_engines.promises.variants import tables

FOLDER: Final = Path(__file__).parent / "stored_decisions"
DECISIONS: Final = 200  # per game
PER_GAME: Final = 20  # of one deal, at most
SKIPPED: Final = (0, 0, 8, 25, 60)  # random actions before the first decision

Step = list[Any]  # seat, action; for a decision also: bot, seed, simulations, visits
Outcome = tuple[int, list[int]]  # the action, and the visits of each action


@dataclass(frozen=True)
class Decision:
    """A bot's decision, and the inputs it follows from."""

    seat: int
    action: int
    bot: str
    seed: int
    simulations: int
    visits: list[int]

    @property
    def outcome(self) -> Outcome:
        """The outcome that must be reproduced."""
        return self.action, self.visits


@dataclass(frozen=True)
class DecidedGame:
    """A deal, some actions, and the decisions after them; forced actions stand between."""

    options: Any
    seats: int
    deal: int
    before: list[Step]
    steps: list[Step]

    @property
    def decisions(self) -> list[Decision]:
        """The steps that are not forced actions."""
        return [Decision(*step) for step in self.steps if len(step) > 2]


def file_of(ruleset: Ruleset) -> Path:
    """The file with the decisions under a ruleset."""
    is_newest = ruleset == ruleset_of(ENGINES[ruleset.slug])
    return FOLDER / f"{ruleset.slug}{'' if is_newest else f'_v{ruleset.version}'}.jsonl"


def read_games(ruleset: Ruleset) -> list[DecidedGame]:
    """All stored decisions under a ruleset."""
    lines = file_of(ruleset).read_text().splitlines()
    return [
        DecidedGame(
            record["options"],
            record["seats"],
            record["deal"],
            record["before"],
            record["decisions"],
        )
        for record in map(json.loads, lines)
    ]


def repeat_decisions(ruleset: Ruleset, game: DecidedGame) -> list[Outcome]:
    """The decisions of the present code in the same positions."""
    engine, rng = find_engine(*ruleset), FastRng(game.deal)
    options = json_codec.from_json(engine.about.options, game.options)
    state = engine.start(options, game.seats, rng)
    outcomes = []
    for step in [*game.before, *game.steps]:
        if len(step) > 2:
            outcomes.append(decide(engine, state, Decision(*step)))
        state.apply(step[0], step[1], rng)
    return outcomes


def decide(engine: AnyEngine, state: State, stored: Decision) -> Outcome:
    """The decision of the present code with the same inputs."""
    view = engine.view(state, stored.seat)
    budget = Budget(simulations=stored.simulations, is_whole=True)
    about = engine.about
    decision = view_guard.decide_from_view(
        about.slug, about.version, stored.bot, view, stored.seed, budget
    )
    action = engine.encode(state, stored.seat, decision.action)
    return action, [each.visits for each in decision.estimates]


def play(ruleset: Ruleset, chance: Random) -> Iterator[dict[str, Any]]:
    """New games of bots of all kinds, in the stored form."""
    engine, remaining = find_engine(*ruleset), DECISIONS
    while remaining:
        table, deal = chance.choice(tables(engine)), chance.randrange(1 << 32)
        rng = FastRng(deal)
        state = engine.start(table.options, table.seats, rng)
        before = list(skip(engine, state, chance, rng, FastRng(deal + 1)))
        steps = list(decided_steps(engine, state, chance, rng, min(remaining, PER_GAME)))
        decision_count = sum(len(step) > 2 for step in steps)
        remaining -= decision_count
        if decision_count:
            options = json_codec.to_json(table.options)
            head = {"options": options, "seats": table.seats, "deal": deal}
            yield {**head, "before": before, "decisions": steps}


def skip(
    engine: AnyEngine, state: State, chance: Random, rng: FastRng, whim: FastRng
) -> Iterator[Step]:
    """Some random actions, chosen by `whim`: replaying them draws from the deal's numbers alone."""
    for _ in range(chance.choice(SKIPPED)):
        if not state.to_act:
            return
        seat = chance.choice(engine.awaited_seats(state))
        action = int(state.random_action(seat, whim))
        yield [seat, action]
        state.apply(seat, action, rng)


def decided_steps(
    engine: AnyEngine, state: State, chance: Random, rng: FastRng, most: int
) -> Iterator[Step]:
    """The actions of bots, until there are `most` decisions."""
    bots = ["greedy", "mcts", "mcts", *levels.level_names(engine.about.slug)]
    while state.to_act and most:
        seat = chance.choice(engine.awaited_seats(state))
        candidates = considered(engine, state, seat)
        step: Step = [seat, candidates[0]]
        if len(candidates) > 1:
            bot, seed = chance.choice(bots), chance.randrange(1 << 53)
            stored = Decision(seat, 0, bot, seed, chance.randrange(40, 160), [])
            action, visits = decide(engine, state, stored)
            step = [seat, action, bot, seed, stored.simulations, visits]
            most -= 1
        yield step
        state.apply(seat, step[1], rng)


def considered(engine: AnyEngine, state: State, seat: int) -> list[int]:
    """The actions that the bots of a game consider."""
    slug, version = ruleset_of(engine)
    searcher = create_searcher(slug, version=version)
    return [int(code) for code in searcher.create_search(state, seat, FastRng(0)).candidates]


def main(slug: str, version: str | None = None) -> None:
    """Write new decisions for a ruleset."""
    ruleset = Ruleset(slug, int(version)) if version else ruleset_of(ENGINES[slug])
    chance = Random(str(ruleset))
    lines = [json.dumps(game, separators=(",", ":")) for game in play(ruleset, chance)]
    file_of(ruleset).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
