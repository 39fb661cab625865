"""Versions that differ only in a ruling share their code: each sets the ruling as a value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from itertools import count
from typing import Any, ClassVar, Final

import pytest

from ai import bot_registry
from ai.bot_kinds import Budget
from api import openapi_schemas
from games import selectors, services
from games.audit import stored_game_verifier
from games.services import SeatAssignment
from tabularium_engines.base import Rng
from tabularium_engines.common.bits import has
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duality.actions import ACTIONS
from tabularium_engines.duality.engine import DualityEngine
from tabularium_engines.duality.game_logic import DualityState
from tabularium_engines.duality.game_options import Options
from tabularium_engines.installed import heuristics, registry
from tabularium_engines.installed.registry import Ruleset

pytestmark = pytest.mark.lane("builds")

FIRST: Final = Ruleset("duality", 1)
SECOND: Final = Ruleset("duality", 2)


class StricterDualityEngine(DualityEngine):
    """Version 2: a position that occurs twice ends the game."""

    about: ClassVar = replace(DualityEngine.about, version=2)
    max_occurrences: ClassVar = 2


@dataclass(frozen=True)
class Pass:
    """Do nothing, with a reason that version 1 does not know."""

    kind: ClassVar = "pass"
    reason: str | None = None


class ChangedDualityEngine(StricterDualityEngine):
    """Version 2 with another form of one action."""

    about: ClassVar = replace(StricterDualityEngine.about, actions=(*ACTIONS[:2], Pass))


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> StricterDualityEngine:
    """The second version, installed as the newest."""
    engine = StricterDualityEngine()
    install(monkeypatch, engine)
    return engine


def install(monkeypatch: pytest.MonkeyPatch, engine: DualityEngine) -> None:
    """Register an engine as the newest of its game."""
    monkeypatch.setitem(registry.RULESETS, SECOND, engine)
    monkeypatch.setitem(registry.ENGINES, "duality", engine)
    monkeypatch.setitem(heuristics.HEURISTICS, SECOND, heuristics.HEURISTICS[FIRST])


class Loser(Rng):
    """Draws that never matter: always the first."""

    def below(self, limit: int) -> int:
        return 0


def decisions_until_repetition(engine: DualityEngine, state: DualityState) -> int:
    """How many decisions end the game if both seats always take back their last replacement."""
    rng = FastRng(3)
    for number in count(1):
        seat = 0 if has(state.to_act, 0) else 1
        legal = state.legal_actions(seat)
        back = [code for code in legal if _is_back(state, seat, code)]
        state.apply(seat, (back or legal)[0], rng)
        if state.to_act == 0:
            return number
    raise AssertionError


def _is_back(state: DualityState, seat: int, code: int) -> bool:
    tried = state.clone()
    tried.apply(seat, code, Loser())
    return len(tried.history.records) > len(state.history.records)


def test_the_value_is_that_of_the_version(second: StricterDualityEngine) -> None:
    first = registry.find_engine(*FIRST)
    for engine, expected in ((first, 3), (second, 2)):
        state = engine.start(Options(), 2, FastRng(1))
        imagined = engine.imagine(engine.view(state, 0), FastRng(1))
        for each in (state, state.clone(), imagined, imagined.clone()):
            assert each.max_occurrences == expected


def test_a_version_ends_where_its_ruling_says(second: StricterDualityEngine) -> None:
    first = DualityEngine()
    lengths = [
        decisions_until_repetition(engine, engine.start(Options(), 2, FastRng(5)))
        for engine in (first, second)
    ]
    assert lengths[1] < lengths[0]


@pytest.mark.django_db
def test_games_of_both_versions_are_played_and_verified(second: StricterDualityEngine) -> None:
    seating = [SeatAssignment(bot="greedy")] * 2
    versions = {}
    for version in (None, 1, 2):
        game = services.create_game("duality", seating, version=version).projection.game
        for _ in range(4):
            (seat,) = selectors.awaited_bot_seats(selectors.game_projection(game))
            turn = selectors.bot_turn(game, seat)
            assert turn is not None
            bot = bot_registry.create_bot("greedy", turn.ruleset, turn.version)
            engine = registry.find_engine(turn.ruleset, turn.version)
            decision = bot.choose(engine, turn.view, FastRng(1), Budget())
            action = engine.action_codec.to_json(decision.action)
            services.append_action(game, seat, action, bot="greedy", choice=turn.token)
        assert stored_game_verifier.verify_game(game).is_good
        versions[version] = selectors.game_projection(game).creation
    assert [create.version for create in versions.values()] == [2, 1, 2]
    assert versions[1].digest != versions[2].digest == versions[None].digest


def component_schemas() -> dict[str, Any]:
    """The schemas for the rulesets that are installed now."""
    import_module("config.urls")  # registers the shapes
    openapi_schemas.built_schemas.cache_clear()
    schemas = openapi_schemas.component_schemas()
    openapi_schemas.built_schemas.cache_clear()
    return schemas


# Options and views tell their version, so each has its own; and so do the unions of them.
TYPED = {"DualityV2Options", "DualityV2OptionsWithType", "DualityV2View"}
TYPED_UNIONS = {"NewOptions", "Options", "View"}


def test_versions_share_the_schemas_that_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    before = component_schemas()
    install(monkeypatch, StricterDualityEngine())
    after = component_schemas()
    assert after.keys() - before.keys() == TYPED
    assert {name for name in before if before[name] != after[name]} == TYPED_UNIONS
    mapping = after["View"]["discriminator"]["mapping"]
    assert mapping["duality.view.v2"].endswith("/DualityV2View")


def test_a_schema_that_differs_is_named_by_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = component_schemas()
    install(monkeypatch, ChangedDualityEngine())
    after = component_schemas()
    assert {name for name in after if name not in before} - TYPED == {
        "DualityV2Pass",
        "DualityPassOfAnyVersion",
    }
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"Action", "LoggedAction", *TYPED_UNIONS}
    prefix = openapi_schemas.SCHEMA_REF_PREFIX
    assert after["DualityPassOfAnyVersion"] == {
        "anyOf": [{"$ref": f"{prefix}DualityPass"}, {"$ref": f"{prefix}DualityV2Pass"}]
    }
    mapping = after["Action"]["discriminator"]["mapping"]
    assert mapping["duality.pass"] == f"{prefix}DualityPassOfAnyVersion"
    assert mapping["duality.play"] == f"{prefix}DualityPlay"
