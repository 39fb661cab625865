"""Whole games by an agent that knows the list of tools alone: no action is refused, and a decision
takes few bytes."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tabularium_engines.installed.registry import ENGINES
from tests.clients.agents.agent import PASSED, Agent, agent_within
from tests.clients.short_tables import SHORT_TABLES
from tests.support.databases import Kept, is_on_server
from tests.support.served import Served, serving

pytestmark = [
    pytest.mark.lane("clients"),
    pytest.mark.skipif(is_on_server(), reason="a client sees nothing of the store"),
]
SHORT, LONG = 1, 100  # games of each ruleset, the latter under --soak
AT_ONCE = 4
A_LIST, A_DECISION = 8_000, 2_000  # bytes
HALF, MOST = 0.5, 0.95


@pytest.fixture(scope="module")
def served(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all games, with bots that react at once, and no limits."""
    variables = {"TABULARIUM_LIMITS": "off", "TABULARIUM_GRACE_MS": "0"}
    with serving(kept_template, tmp_path_factory.mktemp("served"), **variables) as served:
        yield served


async def play(served: Served, slug: str, number: int) -> tuple[list[Any], list[Agent]]:
    """So many games by a few agents at the same time: their last replies, and the agents."""
    seeds = iter(range(number))

    async def play_some(agent: Agent) -> list[Any]:
        await agent.tools()
        ends = []
        for seed in seeds:
            table = await agent.call("create_game", rules=slug, seats=SHORT_TABLES[slug].seats)
            ends.append(await agent.play(table["game"], seed))
        return ends

    async with AsyncExitStack() as stack:
        agents = [
            await stack.enter_async_context(agent_within(served.url))
            for _ in range(min(number, AT_ONCE))
        ]
        ends = await asyncio.gather(*map(play_some, agents))
    return [end for some in ends for end in some], agents


@pytest.mark.parametrize("slug", ENGINES)
def test_games_are_cheap_and_legal(
    served: Served, slug: str, games_count: Callable[[int, int], int]
) -> None:
    number = games_count(SHORT, LONG)
    ends, agents = asyncio.run(play(served, slug, number))
    decisions = [each for agent in agents for each in agent.decisions]
    refusals = [each for agent in agents for each in agent.refusals]
    sizes = [each.usual_size for each in decisions]
    all_sizes = [each.size for each in decisions]
    calls = [each.calls for each in decisions]
    sys.stderr.write(
        f"{slug}: {len(ends)} of {number} games, {len(sizes)} decisions,"
        f" refused: {dict(Counter(refusals))},"
        f" bytes {share(sizes, HALF)} and {share(sizes, MOST)},"
        f" with all calls {share(all_sizes, HALF)} and {share(all_sizes, MOST)},"
        f" calls {share(calls, HALF)} and {share(calls, MOST)}\n"
    )
    assert all(end["result"]["winners"] for end in ends)
    assert set(refusals) <= set(PASSED)
    assert share(sizes, MOST) <= A_DECISION
    assert len(agents[0].replies[0].encode()) <= A_LIST


def share(values: Sequence[int], part: float) -> int:
    """The value that this part of all does not exceed."""
    return sorted(values)[int(part * (len(values) - 1))]
