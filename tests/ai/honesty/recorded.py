"""Recorded decisions: another process reproduces them to the last bit.

`python -m tests.ai.honesty.recorded` reads decisions, one line of JSON each: a view, a bot, a seed,
a number of simulations, and the result. It repeats each decision, and writes the mode of the
engines, the number of decisions, and those whose results differ.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import Any, Final

from ai import view_guard
from ai.bot_kinds import BotDecision, Budget
from tabularium_engines.base import AnyEngine
from tabularium_engines.builds import compiled_engines
from tabularium_engines.common import json_codec
from tabularium_engines.installed.registry import ENGINES
from tests.ai.honesty.pairs import pairs

THINKERS: Final = (("mcts", 12), ("greedy", 0), ("mcts", 30), ("greedy", 0), ("random", 0))

Record = dict[str, Any]


def records(slug: str, number: int) -> Iterator[Record]:
    """A number of recorded decisions in a game."""
    engine = ENGINES[slug]
    for pair, (name, simulations) in zip(pairs(engine, number), cycle(THINKERS), strict=False):
        view = json_codec.to_json(engine.view(pair.truth, pair.seat))
        record = {"game": slug, "view": view, "bot": name}
        record |= {"seed": pair.seed << 32 | pair.seq, "simulations": simulations}
        yield record | {"found": repeat_decision(record)}


def repeat_decision(record: Record) -> list[Any]:
    """The result of the decision: all its numbers, to the last bit."""
    engine = ENGINES[record["game"]]
    view = json_codec.from_json(engine.about.view, record["view"])
    budget = Budget(simulations=record["simulations"])
    version = engine.about.version
    arguments = (record["game"], version, record["bot"], view, record["seed"], budget)
    return decision_json(engine, view_guard.decide_from_view(*arguments))


def decision_json(engine: AnyEngine, decision: BotDecision) -> list[Any]:
    """An answer as JSON, its values bit for bit in hexadecimal."""
    to_json = engine.action_codec.to_json
    estimates = [[to_json(one.action), one.visits, one.value.hex()] for one in decision.estimates]
    return [to_json(decision.action), decision.simulations, estimates]


def repeat_all(lines: Iterable[str]) -> dict[str, Any]:
    """Repeat all recorded decisions."""
    decisions = [json.loads(line) for line in lines]
    other = [record for record in decisions if repeat_decision(record) != record["found"]]
    return {"mode": compiled_engines.engine_mode(), "decisions": len(decisions), "other": other}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(repeat_all(sys.stdin)))
