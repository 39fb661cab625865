"""Reachability: from a bot's inputs no reference leads to hidden information."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass, replace
from inspect import getsource
from itertools import chain
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final

import pytest

from ai import bot_decision, bot_registry, bot_turn, view_guard
from ai.bot_kinds import BotDecision, Budget
from games import position_cache, selectors, services
from games.position_cache import Position
from games.services import SeatAssignment
from tabularium_engines.base import Rng, State
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.projection.projection import Projection

pytestmark = pytest.mark.django_db

CODE: Final = (type, ModuleType, BuiltinFunctionType)
SEED: Final = 20_260_101
SENTENCES: Final = {"selectors": {"bot_turn"}, "services": {"append_action"}}


def reachable(*roots: Any) -> Iterator[Any]:
    """Every object that is reachable from these by references, except through code, which refers to
    its own module."""
    visited_ids: set[int] = set()
    pending = list(roots)
    while pending:
        obj = pending.pop()
        if id(obj) in visited_ids or isinstance(obj, CODE):
            continue
        visited_ids.add(id(obj))
        yield obj
        is_code = isinstance(obj, FunctionType)
        pending.extend(obj.__closure__ or () if is_code else gc.get_referents(obj))


def reachable_secrets(position: Position, arguments: tuple[Any, ...]) -> list[Any]:
    """The reachable parts of a game, if any: a state, a log, its secret, its random source."""
    own_generators = [
        obj for obj in arguments if isinstance(obj, Rng)
    ]  # the bot's own seeded generator
    kinds = (State, Projection, Position, Rng)
    return [
        obj
        for obj in reachable(*arguments)
        if (isinstance(obj, kinds) and obj not in own_generators)
        or (isinstance(obj, bytes) and position.secret[:16] in obj)
    ]


class Curious:
    """A bot that keeps its inputs, and acts as another bot does."""

    def __init__(self, bot: Any) -> None:
        self.bot = bot
        self.arguments: tuple[Any, ...] = ()

    def choose(self, *arguments: Any) -> BotDecision:
        """The other bot's choice."""
        self.arguments = arguments
        decision: BotDecision = self.bot.choose(*arguments)
        return decision


@pytest.fixture(
    params=[(name, slug) for name in bot_registry.COMMON_BOT_NAMES for slug in ENGINES],
    ids="-".join,
)
def curious(
    request: pytest.FixtureRequest, woken: list[Any], monkeypatch: pytest.MonkeyPatch
) -> tuple[Curious, Position]:
    """A bot that has decided once as in a worker, and the position in which it decided."""
    name, slug = request.param
    bot = Curious(bot_registry.create_bot(name, slug))
    monkeypatch.setattr(bot_registry, "create_bot", lambda name, slug, version: bot)
    monkeypatch.setattr(
        bot_registry, "THINKING_SECONDS", dict.fromkeys(bot_registry.COMMON_BOT_NAMES, 0.0)
    )
    seats = ENGINES[slug].about.seats[0]
    table = services.create_game(slug, [SeatAssignment(bot=name)] * seats).projection
    position = position_cache.current_position(table.game)
    seat = selectors.awaited_bot_seats(table)[0]
    assert bot_turn.take_turn(table.game, seat, table.choice_token(seat))
    return bot, position


def test_nothing_of_the_table_is_within_reach(curious: tuple[Curious, Position]) -> None:
    bot, position = curious
    assert len(bot.arguments) == 4
    assert reachable_secrets(position, (*bot.arguments, bot.bot)) == []


def test_what_a_bot_is_given_cannot_be_changed(curious: tuple[Curious, Position]) -> None:
    bot, position = curious
    engine, view, rng, budget = bot.arguments
    with pytest.raises(FrozenInstanceError):
        view.seat = 1
    with pytest.raises(FrozenInstanceError):
        budget.seconds = 3600.0
    assert list(view_guard.foreign_values(view)) == []
    assert type(rng) is FastRng
    assert engine is ENGINES[position.projection.creation.rules]


@pytest.mark.parametrize("treasure", ["state", "table", "position", "secret"])
def test_the_walk_finds_what_is_hidden_in_what_is_given(
    curious: tuple[Curious, Position], treasure: str
) -> None:
    bot, position = curious
    hidden: dict[str, Any] = {
        "state": position.projection.state,
        "table": position.projection,
        "position": position,
        "secret": position.secret,
    }

    pocket = Letter("a")
    object.__setattr__(pocket, "text", ({"deep": [iter([lambda: hidden[treasure]])]},))
    assert reachable_secrets(position, (*bot.arguments, pocket)) != []


# -- invalid views are refused --------------------------------------------------------------------


@dataclass(frozen=True)
class Letter:
    """A value that is valid in a view."""

    text: str


@dataclass
class Slate:
    """A mutable object."""

    text: str


def with_extra_attribute(letter: Letter) -> Letter:
    """The letter with an attribute that is not a field."""
    object.__setattr__(letter, "state", 7)
    return letter


class Number(int):
    """A subclass of int."""


DEALT: Final = ENGINES["duality"].start(ENGINES["duality"].about.options(), 2, FastRng(SEED))


@pytest.mark.parametrize(
    "intruder",
    [
        DEALT,
        FastRng(1),
        b"secret",
        [1],
        {1},
        {"a": 1},
        Slate("a"),
        with_extra_attribute(Letter("a")),
        Number(1),
    ],
    ids=lambda intruder: type(intruder).__name__,
)
def test_what_has_no_place_in_a_view_is_found(intruder: Any) -> None:
    assert list(view_guard.foreign_values((1, Letter("a"), (True, (None, intruder))))) == [intruder]
    assert list(view_guard.foreign_values((1, Letter("a"), (True, (None, "strange"))))) == []


def decide(view: Any) -> BotDecision:
    return view_guard.decide_from_view("duality", 1, "random", view, SEED, Budget())


def test_only_a_view_of_the_game_is_thought_about() -> None:
    seat = ENGINES["duality"].awaited_seats(DEALT)[0]
    view = ENGINES["duality"].view(DEALT, seat)
    assert decide(view).action
    with pytest.raises(view_guard.NotAView, match="A DualityState is not a view"):
        decide(DEALT)
    with pytest.raises(view_guard.NotAView, match="A DualityState is not allowed in a view"):
        decide(replace(view, options=DEALT))
    dice = ENGINES["law_of_the_dice"]
    other = dice.view(dice.start(dice.about.options(), 2, FastRng(SEED)), 0)
    with pytest.raises(view_guard.NotAView, match="is not a view"):
        decide(other)


# -- the task uses no other functions -------------------------------------------------------------


def test_a_bots_task_uses_one_reader_and_one_writer() -> None:
    """Other functions of these modules return whole games. The linter checks the imports, this test
    the use."""
    used_names: dict[str, set[str]] = {name: set() for name in SENTENCES}
    trees = (ast.parse(getsource(module)) for module in (bot_turn, bot_decision))
    for node in chain.from_iterable(map(ast.walk, trees)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            used_names.get(node.value.id, set()).add(node.attr)
    assert used_names == SENTENCES
