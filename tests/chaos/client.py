"""A client of a kill storm: it plays any legal action and repeats a call with the same choice token
until there is an answer. If it is killed, the next process continues from its journal."""

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
from tabularium_engines.base import IllegalAction
from tabularium_log.projection.projection import GameRefusal
from tests.chaos.journal import Call, Journal, unresolved_call

RETRY_PAUSE: Final = 0.2  # seconds before a call without an answer is repeated
KILL_SHARE: Final = 0.08  # the share of calls that kill the client
CALL_SECONDS: Final = 0.012  # the approximate duration of a call
GameSeat = tuple[str, int]


def play(path: Path, game_seats: list[GameSeat], pause: float) -> None:
    """Play these seats, one game each, until all the games are over."""
    journal, rng = Journal(path), Random()
    if (call := unresolved_call(path)) is not None:
        repeat_until_resolved(journal, call)
    while game_seats:
        game_seats = [seat for seat in game_seats if act_if_awaited(journal, *seat, rng)]
        sleep(pause - time() % pause)  # all clients act at the same moment, so that they race


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
        if rng.random() < KILL_SHARE:
            Timer(rng.uniform(0, CALL_SECONDS), kill_this_process).start()
        repeat_until_resolved(journal, Call(game, seat, choice.token, action))
    return table.phase != "over"


def kill_this_process() -> None:
    """Kill this process, possibly during a call, at which a kill from outside rarely arrives."""
    os.kill(os.getpid(), signal.SIGKILL)


def repeat_until_resolved(journal: Journal, call: Call) -> None:
    """Repeat the call until its outcome is known."""
    while not send_call(journal, call):
        sleep(RETRY_PAUSE)


def send_call(journal: Journal, call: Call) -> bool:
    """Send the call once; whether there was an answer."""
    journal.record_call(call)
    try:
        result = services.append_action(call.game, call.seat, call.action, choice=call.choice)
    except (GameRefusal, IllegalAction) as refusal:
        journal.record_fail(refusal.code)
    except Error as problem:
        connection.close()
        journal.record_unknown(problem)
        return False
    else:
        journal.record_ok(result)
    return True
