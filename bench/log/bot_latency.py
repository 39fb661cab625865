"""The waiting time for a bot that does not think. `manage.py serve` runs in addition, as installed;
a player acts in this process, and the head of the log shows when the bot has answered."""

from __future__ import annotations

import atexit
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from statistics import median
from time import monotonic, perf_counter, sleep
from typing import Any, Final

from ai import bot_registry as bots
from ai.bot_kinds import Budget
from bench.log import sample_games
from bench.log.worker import Round
from bench.ports import free_port
from games import selectors, services
from games.models import Account, Game
from games.services import AppendResult, SeatAssignment
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed import registry
from tabularium_log.projection.projection import Projection

BOT_NAME: Final = "random"
PERSON_SEAT: Final = 0
POLL_SECONDS: Final = 0.002  # between two checks of the head
ANSWER_TIMEOUT_SECONDS: Final = 30.0  # a bot that takes longer was never woken
THINKING_TRIALS: Final = 200  # of a bot's decision
MIN_ANSWERS: Final = 2  # the fewest with a spread


def answer_round() -> Round:
    """From the commit that makes the table wait for a bot to the commit of its answer, by this
    process's clock. The numbers are seconds, one per answer."""
    start_server()
    account, rng = Account.objects.create(name="bench"), FastRng(1)
    waits = measure_waits(account, rng)
    next(waits)  # wait until the worker is up

    def run(seconds: float) -> tuple[float, ...]:
        end, answers = perf_counter() + seconds, [next(waits)]
        while perf_counter() < end or len(answers) < MIN_ANSWERS:
            answers.append(next(waits))
        return tuple(answers)

    return run


def start_server() -> None:
    """Start the whole server; it runs until this process ends."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--grace", "2"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def end() -> None:
        server.send_signal(signal.SIGTERM)
        server.wait()

    atexit.register(end)


def measure_waits(account: Account, rng: FastRng) -> Iterator[float]:
    """Game after game between a player and the bot: the time of each answer."""
    while True:
        table = services.create_game(
            sample_games.RULESET_SLUG,
            [SeatAssignment(account=account), SeatAssignment(bot=BOT_NAME)],
        ).projection
        waiting_since = perf_counter()
        while table.phase == "playing":
            if table.is_awaited(PERSON_SEAT):
                table = append_random_action(table, rng).projection
                waiting_since = perf_counter()
            else:
                answered_at = wait_for_entry(table)
                yield answered_at - waiting_since
                table, waiting_since = selectors.game_projection(table.game), answered_at


def append_random_action(table: Projection, rng: FastRng) -> AppendResult:
    """The result of appending a random action of the player."""
    choice = selectors.seat_choice(table, PERSON_SEAT)
    assert choice
    offer = choice.offers[rng.below(len(choice.offers))]
    return services.append_action(table.game, PERSON_SEAT, offer.action, choice=choice.token)


def wait_for_entry(table: Projection) -> float:
    """The time at which the log was seen to have grown beyond this projection."""
    end = monotonic() + ANSWER_TIMEOUT_SECONDS
    while Game.objects.filter(pk=table.game).values_list("seq", flat=True).get() == table.seq:
        if monotonic() > end:
            raise TimeoutError(f"no bot acts in {table.game}")
        sleep(POLL_SECONDS)
    return perf_counter()


def thinking_round() -> Round:
    """The bot's own time for a decision, from its view to its action, in seconds."""
    table = sample_games.write_dealt_game(sample_games.SEAT_COUNT + 2).projection
    engine, rng, state = registry.ENGINES[sample_games.RULESET_SLUG], FastRng(2), table.state
    assert state
    bot = bots.create_bot(BOT_NAME, sample_games.RULESET_SLUG)
    view: Any = engine.view(state, sample_games.pick_action(table, rng)[0])

    def think() -> float:
        start = perf_counter()
        bot.choose(engine, view, rng, Budget())
        return perf_counter() - start

    return lambda seconds: (median(think() for _ in range(THINKING_TRIALS)),)


ROUNDS: Final[dict[str, Callable[[], Round]]] = {
    "answers": answer_round,
    "thinking": thinking_round,
}
