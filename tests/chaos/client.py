"""A client in a storm: it plays any legal action and repeats the request with the same choice token
until there is an answer; if it is killed, the next process continues."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from random import Random
from threading import Timer
from time import sleep, time
from typing import Final

from django.db import Error, close_old_connections, connection

from games import selectors, services
from games.engines.base import IllegalAction
from games.projection.projection import GameRefusal
from tests.chaos.journal import Call, Journal, pending

PAUSE: Final = 0.2  # seconds before an unanswered call is repeated
MORTALITY: Final = 0.08  # the share of calls that kill the client
CALL_SECONDS: Final = 0.012  # seconds in which a call is over, approximately
Place = tuple[str, int]


def play(path: Path, places: list[Place], pause: float) -> None:
    """Play these seats, one game each, until all the games are over."""
    journal, rng = Journal(path), Random()
    if (call := pending(path)) is not None:
        settle(journal, call)
    while places:
        places = [place for place in places if act_if_awaited(journal, *place, rng)]
        sleep(pause - time() % pause)  # all clients at once, so that they race


def act_if_awaited(journal: Journal, game: str, seat: int, rng: Random) -> bool:
    """Act for the seat if it is awaited; whether the game is still not over."""
    close_old_connections()
    try:
        table = selectors.game_projection(game)
    except Error:  # the database is away: try again later
        connection.close()
        return True
    choice = selectors.seat_choice(table, seat)
    if choice is not None and choice.is_awaited:
        action = rng.choice(choice.offers).action
        if rng.random() < MORTALITY:
            Timer(rng.uniform(0, CALL_SECONDS), die).start()
        settle(journal, Call(game, seat, choice.token, action))
    return table.phase != "over"


def die() -> None:
    """Kill this process, possibly inside a call, where a kill from outside would rarely hit."""
    os.kill(os.getpid(), signal.SIGKILL)


def settle(journal: Journal, call: Call) -> None:
    """Repeat the call until its outcome is known."""
    while not ask(journal, call):
        sleep(PAUSE)


def ask(journal: Journal, call: Call) -> bool:
    """Send the call once; whether there was an answer."""
    journal.invoke(call)
    try:
        result = services.action_append(call.game, call.seat, call.action, choice=call.choice)
    except (GameRefusal, IllegalAction) as refusal:
        journal.fail(refusal.code)
    except Error as problem:
        connection.close()
        journal.unknown(problem)
        return False
    else:
        journal.ok(result)
    return True
