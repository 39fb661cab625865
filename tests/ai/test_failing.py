"""Failing bots: a game ends even if its bots raise, hang, die, or answer nonsense or nothing. All
rulesets are played; under --soak, two hundred games."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from ai import bot_dispatch, bot_registry, clock_budget, tasks
from ai.bot_dispatch import AGAIN_HEADER, WakeMessage
from ai.bot_kinds import BotDecision, RandomBot
from games import selectors, services
from games.services import SeatAssignment
from jobs import sweeper
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.promises.action_inputs import well_formed_actions

pytestmark = [pytest.mark.django_db, pytest.mark.stores]

GAMES: Final = 200
MOST: Final = 50_000  # messages, after which a game counts as endless
BRIEF: Final = {"law_of_the_dice", "duality", "law"}  # games that do not take long

OUTCOMES: Final[tuple[Any, ...]] = (
    RuntimeError("no idea"),
    SoftTimeLimitExceeded(),  # raised in a bot that searches for too long
    RecursionError(),
    MemoryError(),
    None,
    "a word",
    {"type": "table.end"},
    {"type": "law_of_the_dice.win"},
)


class Killed(BaseException):
    """The death of a worker, which bot code cannot handle."""


class Unreliable(RandomBot):
    """A bot that fails the first time and then at random every second time, each time in a random
    way."""

    def __init__(self, chance: FastRng) -> None:
        self.chance = chance
        self.failed = 0

    def choose(self, *arguments: Any) -> BotDecision:
        """A random action, another's action, nonsense, or nothing at all."""
        if self.failed and self.chance.below(2):
            return super().choose(*arguments)
        self.failed += 1
        kind = int(self.chance.below(len(OUTCOMES) + 2))
        if kind == len(OUTCOMES):
            raise Killed
        if kind > len(OUTCOMES):
            actions = well_formed_actions(arguments[0])
            return BotDecision(actions[int(self.chance.below(len(actions)))])
        outcome = OUTCOMES[kind]
        if isinstance(outcome, BaseException):
            raise outcome
        return BotDecision(outcome)


class World:
    """The broker, a worker and the sweeper, all of them occasionally failing."""

    def __init__(self, woken: list[WakeMessage], chance: FastRng) -> None:
        self.woken = woken
        self.chance = chance
        self.messages = 0

    def play(self, game: str) -> str:
        """Deliver messages until the game is over or there are too many; returns its phase."""
        while (phase := selectors.game_projection(game).phase) != "over" and self.messages < MOST:
            if not self.woken:
                bot_dispatch.outbox.reset_wake_times()  # as if time had passed
                seats = selectors.awaited_bot_seats(selectors.game_projection(game))
                resent_count = sweeper.resend_lost(bot_dispatch.outbox)
                assert resent_count == len(seats) > 0, "no bot would ever be woken again"
            self.deliver(self.woken.pop(0))
        self.woken.clear()
        return phase

    def deliver(self, message: WakeMessage) -> None:
        """Deliver one message: it may be lost, it may come twice, and its worker may die of it."""
        self.messages += 1
        if self.chance.below(10) == 0:
            return
        if self.chance.below(10) == 0:
            self.woken.append(message)
        try:
            arguments = [message.game, message.seat, message.choice]
            state = tasks.think.apply(args=arguments, headers={AGAIN_HEADER: message.again}).state
            assert state == "SUCCESS"
        except Killed:
            self.woken.append(message._replace(again=True))  # it was not acknowledged


class LosingWorld(World):
    """A broker that loses every message."""

    def deliver(self, message: WakeMessage) -> None:
        self.messages += 1


@pytest.fixture
def without_log_records() -> Iterator[None]:
    """Discard log records: each holds all frames of an exception's traceback, and they hold whole
    games."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.lane("slow", core=1)
@pytest.mark.usefixtures("without_log_records")
@pytest.mark.parametrize("slug", ENGINES)
def test_a_game_with_unreliable_bots_ends(
    slug: str,
    woken: list[WakeMessage],
    monkeypatch: pytest.MonkeyPatch,
    games_count: Callable[[int, int], int],
) -> None:
    monkeypatch.setattr(clock_budget, "STALLED_AFTER", timedelta(0))
    fewest, most = ENGINES[slug].about.seats
    for number in range(games_count(slug in BRIEF, GAMES // len(ENGINES))):
        chance = FastRng(number)
        bot = Unreliable(chance)
        monkeypatch.setattr(bot_registry, "create_bot", lambda name, slug, version, bot=bot: bot)
        seats = fewest + number % (most - fewest + 1)
        game = services.create_game(slug, [SeatAssignment(bot="random")] * seats).projection.game
        assert World(woken, chance).play(game) == "over"
        assert bot.failed


def test_where_nobody_sweeps_it_does_not_end(
    woken: list[WakeMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test above notices lost messages."""
    monkeypatch.setattr(sweeper, "resend_lost", lambda outbox: 0)
    game = services.create_game("duality", [SeatAssignment(bot="random")] * 2).projection.game
    with pytest.raises(AssertionError, match="no bot would ever be woken again"):
        LosingWorld(woken, FastRng(1)).play(game)
