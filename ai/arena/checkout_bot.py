"""The bot of another checkout of this project, in a process of its own: a contest against it shows
whether a change of the bots makes them stronger."""

from __future__ import annotations

import atexit
import pickle
from contextlib import ExitStack
from functools import cache, cached_property
from pathlib import Path
from subprocess import PIPE, Popen
from typing import IO, Any, Final

from ai.bot_kinds import BotDecision, Budget
from tabularium_engines.base import AnyEngine, Rng

PYTHON: Final = Path(".venv", "bin", "python")  # of a checkout
SEED_RANGE: Final = 1 << 30
# Runs in the other checkout, whose views and actions have the same classes, and so uses nothing of
# this one: it answers each view and seed with the bot's action.
PROGRAM: Final = """
import pickle, sys
from ai.arena.contestants import parse_contestant
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import find_engine

views, actions = sys.stdin.buffer, sys.stdout.buffer
name, slug, seconds, version = pickle.load(views)
contestant, engine = parse_contestant(name, slug, seconds, version), find_engine(slug, version)
while True:
    try:
        view, seed = pickle.load(views)
    except EOFError:
        break
    decision = contestant.bot.choose(engine, view, FastRng(seed), contestant.budget)
    pickle.dump(decision.action, actions)
    actions.flush()
"""


class CheckoutBot:
    """Asks a bot of another checkout, which has a budget of its own."""

    def __init__(self, checkout: Path, name: str, *table: Any) -> None:
        self.name = f"{name}@{checkout.name}"
        self._checkout = checkout
        self._contestant = (name, *table)

    def choose(self, engine: AnyEngine, view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """The other bot's action."""
        views, actions = self._streams
        _send((view, int(rng.below(SEED_RANGE))), views)
        return BotDecision(pickle.load(actions))

    @cached_property
    def _streams(self) -> tuple[IO[bytes], IO[bytes]]:
        """To and from its process, which starts with its first decision."""
        exits = ExitStack()
        command = [str(self._checkout / PYTHON), "-c", PROGRAM]
        process = exits.enter_context(Popen(command, cwd=self._checkout, stdin=PIPE, stdout=PIPE))
        atexit.register(exits.close)  # which ends its input, and so the process
        assert process.stdin is not None
        assert process.stdout is not None
        _send(self._contestant, process.stdin)
        return process.stdin, process.stdout


def _send(message: object, views: IO[bytes]) -> None:
    pickle.dump(message, views)
    views.flush()


@cache
def bot_of_checkout(
    checkout: Path, name: str, slug: str, seconds: float, version: int | None
) -> CheckoutBot:
    """That bot; its process ends with this one."""
    if not (checkout / PYTHON).exists():
        raise ValueError(f"{checkout} has no {PYTHON}: `make setup` makes it.")
    return CheckoutBot(checkout, name, slug, seconds, version)
