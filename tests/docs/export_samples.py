"""Exports of games, mutations and forgeries of them, with the verdicts of docs/verify.py.

For verifiers in other languages: `python -m tests.docs.export_samples FILE` writes a line of JSON
for each game."""

from __future__ import annotations

import json
import os
import sys
from base64 import b64encode
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from tabularium_engines.installed.registry import ENGINES  # noqa: E402  # after the setup
from tabularium_log.audit.export_format import LeafKind  # noqa: E402
from tests.docs import test_people  # noqa: E402
from tests.docs.test_second_verifier import is_good, lies, proof_mutations  # noqa: E402
from tests.games.audit.forging import forged  # noqa: E402
from tests.games.audit.making import (  # noqa: E402
    GameBuilder,
    Plan,
    new_plan,
    people_game,
    plans,
    play_plan,
)
from tests.games.audit.mutating import Mutation, fixed_mutation, mutations  # noqa: E402

KINDS: Final[tuple[LeafKind, ...]] = ("game/1", "blind/1")
LINES: Final = 4_000  # to verify for each game


def samples() -> Iterator[dict[str, Any]]:
    """The games of each ruleset, with mutations and whether these are good."""
    for slug, engine in ENGINES.items():
        for plan in [*plans(engine), new_plan(engine, 3, 3, has_seeds=True, stops_at=20)]:
            lines = play_plan(plan).lines("seat:0")
            other_lines = play_plan(Plan(plan.engine, plan.seats, 99)).lines("onlooker")
            changes = list(mutations(lines, other_lines, Random(plan.number)))
            step = max(1, len(changes) * len(lines) // LINES)
            yield sample(f"{slug}-{plan.number}", lines, changes[::step])
        builder = play_plan(new_plan(engine, 3, 5, has_seeds=True))
        lines = builder.lines()
        forgeries = [(name, forged(builder, change)) for name, change in lies(builder)]
        replacements = [fixed_mutation(name, 0, len(lines), *new) for name, new in forgeries]
        yield sample(f"{slug}-lies", lines, replacements)
        yield people_sample(slug)
    for kind in KINDS:
        lines, changes = proof_mutations(kind)
        yield sample(f"record-{kind}", lines, changes)


def people_sample(slug: str) -> dict[str, Any]:
    """A finished game among people, and the lies about what they agreed on."""
    games = (people_game(ENGINES[slug], number) for number in count(1))
    builder = next(game for game in games if game.table.phase == "over" and is_second(game))
    lines = builder.lines("everything")
    forgeries = [(name, forged(builder, change)) for name, change in test_people.lies(builder)]
    replacements = [fixed_mutation(name, 0, len(lines), *new) for name, new in forgeries]
    return sample(f"{slug}-people", lines, replacements[:: max(1, len(replacements) // 40)])


def is_second(builder: GameBuilder) -> bool:
    """Whether its export is an export/2."""
    return b"export/2" in builder.lines()[0]


def sample(name: str, lines: list[bytes], changes: list[Mutation]) -> dict[str, Any]:
    """A game and its changes as JSON; the first change is none."""
    unchanged = fixed_mutation("nothing", 0, 0)
    told = [
        {
            "first": one.first,
            "old": one.old,
            "new": [b64encode(line).decode() for line in one.new],
            "ok": is_good(one.applied(lines)),
        }
        for one in [unchanged, *changes]
    ]
    encoded = [b64encode(line).decode() for line in lines]
    return {"name": name, "lines": encoded, "mutations": told}


def main(file: str) -> None:
    with Path(file).open("w", encoding="utf-8") as output:
        output.writelines(json.dumps(one) + "\n" for one in samples())


if __name__ == "__main__":
    main(*sys.argv[1:])
