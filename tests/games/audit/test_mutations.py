"""Both verifiers catch and locate every single change to an exported game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games.audit.export_verifier import verify_export
from games.registry import ENGINES
from tests.docs.verifier import VERIFIER
from tests.games.audit.making import Plan, made, plans
from tests.games.audit.mutating import Mutation, mutations

WORK = 30_000  # lines to read per game, so a short game gets more mutations
LEAST = 200  # mutations of each ruleset


def chosen(plan: Plan, work: int) -> tuple[list[bytes], list[Mutation]]:
    """The lines of a game and an even sample of its mutations, sized to read about `work` lines."""
    lines = made(plan).lines("everything")
    count = work // len(lines)
    others = made(Plan(plan.engine, plan.seats, 99)).lines("everything")
    all_of_them = list(mutations(lines, others, Random(plan.number)))
    tried = all_of_them[:: max(1, len(all_of_them) // count)]
    return lines, [mutation for mutation in tried if mutation.applied(lines) != lines]


def by_verifier(lines: list[bytes]) -> tuple[int | None, int | None] | None:
    """The place where docs/verify.py finds a flaw."""
    try:
        VERIFIER.verify(lines)
    except VERIFIER.Wrong as wrong:
        return wrong.line, wrong.seq
    return None


def by_audit(lines: list[bytes]) -> tuple[int | None, int | None] | None:
    """The place where the service finds a flaw."""
    verdict = verify_export(lines)
    return None if verdict.is_good else (verdict.line, verdict.seq)


def verdicts(lines: list[bytes]) -> list[Any]:
    """The place where each verifier finds a flaw."""
    return [by_verifier(lines), by_audit(lines)]


def missed(lines: list[bytes], tried: list[Mutation]) -> list[Any]:
    """The mutations that either verifier misses or locates wrongly."""
    return [
        (mutation.name, where)
        for mutation in tried
        for where in verdicts(mutation.applied(lines))
        if where is None or not mutation.is_named(lines, *where)
    ]


@pytest.mark.parametrize("slug", ENGINES)
def test_every_mutation_is_caught_and_named(
    slug: str, games_count: Callable[[int, int], int]
) -> None:
    count = 0
    for plan in plans(ENGINES[slug]):
        lines, tried = chosen(plan, games_count(WORK, 10**9))
        assert verdicts(lines) == [None, None]
        assert missed(lines, tried) == []
        count += len(tried)
    assert count >= LEAST
