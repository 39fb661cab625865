"""The run of a kill storm: games and clients are created, then processes are killed, then every
game is played to its end and checked."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from itertools import cycle, islice
from pathlib import Path
from random import Random
from time import sleep, time
from typing import Final

from django.core.management import call_command
from django.db import Error, close_old_connections, connection

from games import services
from games.models import Account, Game
from games.services import SeatAssignment
from tabularium_log.projection.table_actions import Clock
from tests.chaos.kill_storm import Client, KillStorm, poll_in_background
from tests.chaos.kill_storm_report import KillStormReport, build_report
from tests.chaos.log_check import GameSeat
from tests.chaos.stores import Store
from tests.chaos.tables import QUICK_SEARCH

RULES: Final = "law_of_the_dice"
CLIENT_COUNT: Final = 4
CLOCK: Final = Clock(1000, "random")  # of the seat whose player never acts
# bots by name; a client plays the seat "client", and only a clock acts for the seat "absent"
TABLES: Final = (
    ("mcts", "client"),
    (QUICK_SEARCH, "greedy", QUICK_SEARCH),
    ("client", "client"),
    (QUICK_SEARCH, QUICK_SEARCH),
    ("client", "random", QUICK_SEARCH),
    ("client", "greedy", "mcts"),
    ("absent", "mcts"),
)


def run_kill_storm(
    args: Namespace, folder: Path, servers: Mapping[str, Store], rng: Random
) -> KillStormReport:
    """Run one storm; its report."""
    storm = KillStorm(folder, servers, rng)
    call_command("migrate", verbosity=0)
    tables = islice(cycle(TABLES), args.games)
    client_seats = [game_seat for table in tables for game_seat in create_game(table)]
    clients = assign_seats(folder, client_seats)
    storm.serve()
    storm.start_clients(clients)
    polling_thread = poll_in_background(storm)
    storm.kill_repeatedly(clients, args.kills, args.pause)
    seconds_to_end = wait_for_end(storm, clients, args.within)
    storm.stop_event.set()
    polling_thread.join()
    storm.stop_all()
    return build_report(args, storm, clients, seconds_to_end)


def create_game(table: tuple[str, ...]) -> list[GameSeat]:
    """Create a game; its seats that clients play."""
    assignments = [
        SeatAssignment(account=Account.objects.create(name=player))
        if player in ("client", "absent")
        else SeatAssignment(bot=player)
        for player in table
    ]
    clock = CLOCK if "absent" in table else None
    game = services.create_game(RULES, assignments, clock=clock).projection.game
    return [(game, seat) for seat, player in enumerate(table) if player == "client"]


def assign_seats(folder: Path, client_seats: list[GameSeat]) -> list[Client]:
    """Assign the seats to clients. The last client also gets the seats of the first, so these two
    race."""
    shares = [client_seats[number::CLIENT_COUNT] for number in range(CLIENT_COUNT)]
    shares[-1] = [*shares[0], *shares[-1]]
    return [Client(folder / f"client-{number}.jsonl", share) for number, share in enumerate(shares)]


def wait_for_end(storm: KillStorm, clients: list[Client], timeout: float) -> float:
    """Wait until all games are over and all clients have ended; the seconds from the last kill to
    the end of the last game."""
    last_kill_at, deadline = storm.kills[-1].at, time() + timeout
    while is_any_game_running() and time() < deadline:
        storm.start_clients(clients)
        sleep(0.1)
    seconds_to_end = time() - last_kill_at
    while storm.is_any_client_running() and time() < deadline:
        storm.start_clients(clients)
        sleep(0.1)
    return round(seconds_to_end, 1)


def is_any_game_running() -> bool:
    """Whether any game is not over, or the database does not answer."""
    close_old_connections()
    try:
        return Game.objects.exclude(phase=Game.Phase.OVER).exists()
    except Error:
        connection.close()
        return True
