"""Hostile bytes always get a verdict: no change to an export, random or made consistent with all
that follows, raises an exception."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any, Final

import pytest

from tabularium_engines.common.json_codec import Json
from tabularium_engines.installed.registry import ENGINES, RulesetNotInstalled
from tabularium_log.audit.export_verifier import load_verified_game, verify_export
from tabularium_log.audit.verdict import Flaw
from tests.games.audit.forging import forged
from tests.games.audit.making import GameBuilder, new_plan, play_plan

BYTES: Final = b'[]{},:"\\0129ax\n\xff\xc3'
STRANGE: Final[tuple[Json, ...]] = (
    *(None, True, 0, -1, 2**53 - 1, "", "x" * 1_000, "\x00", "0" * 64, [], {}, [[[]]], [None]),
    *({"type": "table.end"}, {"type": []}, {"": 0}, [[0, 0]], [[2**52, 2**53 - 1]] * 40),
)


@pytest.fixture(scope="module", params=ENGINES)
def game(request: pytest.FixtureRequest) -> GameBuilder:
    """A short game with entries of many kinds."""
    return play_plan(new_plan(ENGINES[request.param], 3, 11, has_seeds=True, comings=1, ends_at=25))


def assert_verdict(lines: list[bytes]) -> None:
    """Assert that there is a verdict, and that a game that is not good is not kept."""
    verdict = verify_export(lines, is_signed=False)
    try:
        load_verified_game(lines, is_signed=False)
    except (Flaw, RulesetNotInstalled):
        return
    assert verdict.is_good


def test_random_bytes(game: GameBuilder, games_count: Callable[[int, int], int]) -> None:
    export, chance = b"".join(game.lines("everything")), Random(1)
    for _ in range(games_count(100, 5_000)):
        edited = bytearray(export)
        for _ in range(chance.choice((1, 1, 2, 10))):
            edit(edited, chance)
        assert_verdict(bytes(edited).splitlines(keepends=True))


def edit(export: bytearray, chance: Random) -> None:
    """Replace or insert some bytes."""
    first = chance.randrange(len(export))
    last = first + chance.choice((0, 1, 1, 1, 30))
    if chance.random() < 0.2:  # a piece of the export from elsewhere
        source = chance.randrange(len(export))
        export[first:last] = export[source : source + chance.randrange(200)]
    else:
        export[first:last] = bytes(chance.choices(BYTES, k=chance.choice((0, 1, 1, 5))))


def test_strange_values_in_a_log_that_fits(
    game: GameBuilder, games_count: Callable[[int, int], int]
) -> None:
    """Only the rules of the table and of the game can detect the flaw."""
    chance = Random(2)
    for _ in range(games_count(60, 3_000)):

        def change(entries: list[Any], fields: dict[str, Any]) -> None:
            parts = [(entry, "action") for entry in entries]
            parts += [(revealed, path) for revealed in fields.values() for path in revealed]
            for holder, name in chance.choices(parts, k=chance.choice((1, 1, 3))):
                holder[name] = strange_value(holder[name], chance)
            for entry in chance.choices(entries, k=chance.choice((0, 0, 1))):
                entry["seat"] = chance.choice((None, 0, 1, 5, 10**9))

        assert_verdict(forged(game, change))


def strange_value(value: Json, chance: Random) -> Json:
    """The value, with a strange value in it or in its place."""
    if not isinstance(value, (dict, list)) or not value or chance.random() < 0.2:
        return deepcopy(chance.choice(STRANGE))
    key: Any = chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
    if chance.random() < 0.2:
        del value[key]
    else:
        value[key] = strange_value(value[key], chance)
    return value
