"""Does a game end whatever its bots do? Bots that raise, hang, die, answer nonsense or nothing sit
at tables of all games: two hundred of them under --soak."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, Final

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from ai import bot_registry, sweeper_round, tasks
from ai.bot_dispatch import AGAIN_HEADER, WakeMessage
from ai.bot_types import BotDecision, RandomBot
from games import selectors, services
from games.engines.common.rng import FastRng
from games.registry import ENGINES
from games.services import SeatAssignment
from tests.engines.strangers import well_formed

pytestmark = pytest.mark.django_db

GAMES: Final = 200
MOST: Final = 50_000  # messages, before a game is taken to be endless
BRIEF: Final = {"law_of_the_dice", "duality", "law"}  # which do not take long

DEEDS: Final[tuple[Any, ...]] = (
    RuntimeError("no idea"),
    SoftTimeLimitExceeded(),  # what a bot hears that thinks for too long
    RecursionError(),
    MemoryError(),
    None,
    "a word",
    {"type": "table.end"},
    {"type": "law_of_the_dice.win"},
)


class Killed(BaseException):
    """The end of a worker, for which nothing that is written there can prepare."""


class Unreliable(RandomBot):
    """The first time it fails, and then every other time, in a way of its own."""

    def __init__(self, chance: FastRng) -> None:
        self.chance = chance
        self.failed = 0

    def choose(self, *given: Any) -> BotDecision:
        """A random action, another's action, nonsense, or nothing at all."""
        if self.failed and self.chance.below(2):
            return super().choose(*given)
        self.failed += 1
        kind = int(self.chance.below(len(DEEDS) + 2))
        if kind == len(DEEDS):
            raise Killed
        if kind > len(DEEDS):
            actions = well_formed(given[0])
            return BotDecision(actions[int(self.chance.below(len(actions)))])
        deed = DEEDS[kind]
        if isinstance(deed, BaseException):
            raise deed
        return BotDecision(deed)


class World:
    """The broker, a worker and the sweeper, all of them at fault now and then."""

    def __init__(self, woken: list[WakeMessage], chance: FastRng) -> None:
        self.woken = woken
        self.chance = chance
        self.messages = 0

    def play(self, game: str) -> str:
        """Deliver messages until the game is over, or there were too many; its phase then."""
        while (phase := selectors.game_projection(game).phase) != "over" and self.messages < MOST:
            if not self.woken:
                sweeper_round.reset_wake_times()  # as if time had gone by
                assert sweeper_round.wake_stalled() == 1, "nobody would ever be woken again"
            self.deliver(self.woken.pop(0))
        self.woken.clear()
        return phase

    def deliver(self, message: WakeMessage) -> None:
        """One message: it may be lost, it may come twice, and its worker may die of it."""
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
            self.woken.append(message._replace(again=True))  # nobody has acknowledged it


@pytest.fixture
def unheard() -> Iterator[None]:
    """Nobody keeps what is logged: a record holds all frames that an error came through, and they
    hold whole games."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.usefixtures("unheard")
@pytest.mark.parametrize("slug", ENGINES)
def test_a_game_with_unreliable_bots_ends(
    slug: str,
    woken: list[WakeMessage],
    monkeypatch: pytest.MonkeyPatch,
    games_count: Callable[[int, int], int],
) -> None:
    monkeypatch.setattr(sweeper_round, "STALLED_AFTER", timedelta(0))
    fewest, most = ENGINES[slug].about.seats
    for number in range(games_count(slug in BRIEF, GAMES // len(ENGINES))):
        chance = FastRng(number)
        bot = Unreliable(chance)
        monkeypatch.setattr(bot_registry, "create_bot", lambda name, slug, bot=bot: bot)
        seats = fewest + number % (most - fewest + 1)
        game = services.game_create(slug, [SeatAssignment(bot="random")] * seats).projection.game
        assert World(woken, chance).play(game) == "over"
        assert bot.failed


def test_where_nobody_sweeps_it_does_not_end(
    woken: list[WakeMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test above sees what happens to a message that is lost."""
    monkeypatch.setattr(sweeper_round, "wake_stalled", lambda: 0)
    chance = FastRng(1)
    bot = Unreliable(chance)
    monkeypatch.setattr(bot_registry, "create_bot", lambda name, slug: bot)
    game = services.game_create("duality", [SeatAssignment(bot="random")] * 2).projection.game
    with pytest.raises(AssertionError, match="nobody would ever be woken again"):
        World(woken, chance).play(game)
