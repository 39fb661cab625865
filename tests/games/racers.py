"""Many clients that all act at one table, for any awaited seat."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from typing import Any, NamedTuple

from django.db import connections

from games import selectors, services
from games.models import Account
from games.services import SeatAssignment, StaleChoice
from tabularium_log.projection.projection import GameRefusal
from tests.config.processes import PATIENCE


class Outcome(NamedTuple):
    """The outcome of one attempt: the entries appended, or the reason why there are none."""

    action: Any
    first: int
    last: int
    refusal: str  # "": it won

    @property
    def seqs(self) -> range:
        """The seqs of the entries appended."""
        return range(0) if self.refusal else range(self.first, self.last + 1)


def table_for_racers(seats: int = 2) -> str:
    """A started game with people on all seats."""
    account = Account.objects.create(name="Racer")
    return services.create_game(
        "law_of_the_dice", [SeatAssignment(account=account)] * seats
    ).projection.game


def race(game: str, client: int, attempts: int, start: Barrier) -> list[Outcome]:
    """Act until the game is over or `attempts` are made; all start at once, on the same choice."""
    chance, outcomes = Random(client), list[Outcome]()
    try:
        while len(outcomes) < attempts:
            table = selectors.game_projection(game)
            if table.phase == "over":
                break
            choice = selectors.seat_choice(table, table.awaited_seats.bit_length() - 1)
            assert choice is not None
            if not outcomes:
                start.wait(PATIENCE)
            outcomes.append(attempt_action(game, choice, chance.choice(choice.offers).action))
    finally:
        connections.close_all()
    return outcomes


def attempt_action(game: str, choice: Any, action: Any) -> Outcome:
    """Act once; any unexpected refusal is raised."""
    try:
        result = services.append_action(game, choice.seat, action, choice=choice.token)
    except StaleChoice as error:
        return Outcome(action, 0, 0, error.code)
    except GameRefusal as error:
        if error.code != "game-over":
            raise
        return Outcome(action, 0, 0, error.code)
    return Outcome(
        action, result.first_seq, result.last_seq, "made already" if result.is_repeat else ""
    )


def crowd(games: list[str], clients: int, attempts: int) -> list[Outcome]:
    """The outcomes of `clients` clients per game, each in a thread of its own."""
    with ThreadPoolExecutor(clients) as pool:
        racing = [
            pool.submit(race, game, client, attempts, start)
            for game in games
            for start in [Barrier(clients)]
            for client in range(clients)
        ]
        return [outcome for client in racing for outcome in client.result()]


def main(arguments: list[str]) -> None:
    """Arguments: the number of clients, attempts per client, and the games, played one after
    another. Wait for a line on stdin so that all processes start at once; answer in JSON."""
    clients, attempts, *games = arguments
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    sys.stdout.write(json.dumps(crowd(games, int(clients), int(attempts))))
