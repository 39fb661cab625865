"""Both verifiers catch and locate every single change to an exported game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit.export_verifier import verify_export
from tests.docs.verifier import VERIFIER, CommonBeginning
from tests.games.audit.making import Plan, plans, play_plan
from tests.games.audit.mutating import Mutation, mutations

WORK = 30_000  # lines to read per game, so a short game gets more mutations
LEAST = 200  # mutations of each ruleset


def sample_mutations(plan: Plan, work: int) -> tuple[list[bytes], list[Mutation]]:
    """The lines of a game and an even sample of its mutations, sized to read about `work` lines."""
    lines = play_plan(plan).lines("everything")
    count = work // len(lines)
    other_lines = play_plan(Plan(plan.engine, plan.seats, 99)).lines("everything")
    all_mutations = list(mutations(lines, other_lines, Random(plan.number)))
    sample = all_mutations[:: max(1, len(all_mutations) // count)]
    return lines, [mutation for mutation in sample if mutation.applied(lines) != lines]


def by_verifier(
    beginning: CommonBeginning, lines: list[bytes], common: int
) -> tuple[int | None, int | None] | None:
    """The place where docs/verify.py finds a flaw."""
    try:
        beginning.verify(lines, common)
    except VERIFIER.Wrong as wrong:
        return wrong.line, wrong.seq
    return None


def by_audit(lines: list[bytes]) -> tuple[int | None, int | None] | None:
    """The place where the service finds a flaw."""
    verdict = verify_export(lines)
    return None if verdict.is_good else (verdict.line, verdict.seq)


def missed_mutations(lines: list[bytes], sample: list[Mutation]) -> list[Any]:
    """The mutations that either verifier misses or locates wrongly. Every hundredth is verified in
    full by docs/verify.py, too."""
    beginning, missed = CommonBeginning(lines), []
    for number, mutation in enumerate(sample):
        mutated = mutation.applied(lines)
        locations = [by_verifier(beginning, mutated, mutation.first), by_audit(mutated)]
        if number % 100 == 0:
            locations.append(by_verifier(beginning, mutated, 0))
            assert locations[-1] == locations[0]
        missed += [
            (mutation.name, location)
            for location in locations
            if location is None or not mutation.is_named(lines, *location)
        ]
    return missed


@pytest.mark.lane("slow", core=2)
@pytest.mark.parametrize("slug", ENGINES)
def test_every_mutation_is_caught_and_named(
    slug: str, games_count: Callable[[int, int], int]
) -> None:
    count = 0
    for plan in plans(ENGINES[slug]):
        lines, sample = sample_mutations(plan, games_count(WORK, 10**9))
        assert [by_verifier(CommonBeginning([]), lines, 0), by_audit(lines)] == [None, None]
        assert missed_mutations(lines, sample) == []
        count += len(sample)
    assert count >= LEAST
