"""How long does a bot that does not think keep one waiting? `manage.py serve` runs beside, as it is
installed; a person acts here, and the head of the log tells when the bot has answered."""

from __future__ import annotations

import atexit
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from statistics import median
from time import monotonic, perf_counter, sleep
from typing import Any, Final

from ai import registry as bots
from ai.bots import Budget
from bench.log import tables
from bench.log.worker import Round
from bench.ports import free_port
from games import registry, selectors, services
from games.engines.common.rng import FastRng
from games.models import Account, Game
from games.services import Appended, Seating
from games.table.table import Table

BOT: Final = "random"
PERSON: Final = 0
GLANCE: Final = 0.002  # seconds between two looks at the head
PATIENCE: Final = 30.0  # seconds; a bot that takes longer was never woken
TRIALS: Final = 200  # of a bot's thinking
FEWEST: Final = 2  # answers, of which one can say how they spread


def answers() -> Round:
    """From the commit that makes the table wait for a bot to the commit of its answer, by the clock
    of this process. The numbers are seconds, one an answer."""
    serving()
    account, rng = Account.objects.create(name="bench"), FastRng(1)
    waits = waiting(account, rng)
    next(waits)  # until the worker is up

    def run(seconds: float) -> tuple[float, ...]:
        end, found = perf_counter() + seconds, [next(waits)]
        while perf_counter() < end or len(found) < FEWEST:
            found.append(next(waits))
        return tuple(found)

    return run


def serving() -> None:
    """The whole server, until this process ends."""
    port = free_port()
    served = [sys.executable, "manage.py", "serve", "--port", str(port), "--grace", "2"]
    server = subprocess.Popen(served, stdout=subprocess.DEVNULL)

    def end() -> None:
        server.send_signal(signal.SIGTERM)
        server.wait()

    atexit.register(end)


def waiting(account: Account, rng: FastRng) -> Iterator[float]:
    """Game after game between a person and the bot: how long each answer took."""
    while True:
        table = services.game_create(
            tables.RULES, [Seating(account=account), Seating(bot=BOT)]
        ).table
        since = perf_counter()
        while table.phase == "playing":
            if table.is_awaited(PERSON):
                table = acted(table, rng).table
                since = perf_counter()
            else:
                seen = head_moved(table)
                yield seen - since
                table, since = selectors.game_table(table.game), seen


def acted(table: Table, rng: FastRng) -> Appended:
    """The table after any action of the person's."""
    chosen = selectors.choice(table, PERSON)
    assert chosen
    offer = chosen.offers[rng.below(len(chosen.offers))]
    return services.action_append(table.game, PERSON, offer.action, choice=chosen.token)


def head_moved(table: Table) -> float:
    """When the log was seen to have grown beyond this table."""
    end = monotonic() + PATIENCE
    while Game.objects.filter(pk=table.game).values_list("seq", flat=True).get() == table.seq:
        if monotonic() > end:
            raise TimeoutError(f"nobody answers at {table.game}")
        sleep(GLANCE)
    return perf_counter()


def thinking() -> Round:
    """What the bot alone needs for a decision, from its view to its action; seconds."""
    table = tables.begun(tables.SEATS + 2).table
    engine, rng, state = registry.ENGINES[tables.RULES], FastRng(2), table.state
    assert state
    bot = bots.bot(BOT, tables.RULES)
    view: Any = engine.view(state, tables.decision(table, rng)[0])

    def think() -> float:
        start = perf_counter()
        bot.choose(engine, view, rng, Budget())
        return perf_counter() - start

    return lambda seconds: (median(think() for _ in range(TRIALS)),)


ROUNDS: Final[dict[str, Callable[[], Round]]] = {"answers": answers, "thinking": thinking}
