"""The course of a storm of kills: its players, its phases and its final check."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Mapping
from itertools import cycle, islice
from pathlib import Path
from random import Random
from time import sleep, time
from typing import Final

from django.core.management import call_command
from django.db import Error, close_old_connections, connection

from ai.bot_turn import MAX_ATTEMPTS
from ai.models import Trouble
from games import position_cache, services
from games.audit import stored_games
from games.engines.common.replay_log import BrokenLog
from games.fairness.vault import UnlockError
from games.models import Account, Game
from games.projection.table_actions import Clock
from games.services import SeatAssignment
from tests.chaos import kill_storm_report, log_check
from tests.chaos.journal import OK, Attempt, attempts
from tests.chaos.kill_storm import Client, Storm, poll_in_background
from tests.chaos.kill_storm_report import Outcome
from tests.chaos.stores import Store

RULES: Final = "law_of_the_dice"
CLIENTS: Final = 4
CLOCK: Final = Clock(1000, "random")  # for the seat without a player
# bots by name; "client" is a seat that a program plays, `nobody` one that is left to its clock
TABLES: Final = (
    ("mcts", "client"),
    ("mcts", "greedy", "mcts"),
    ("client", "client"),
    ("mcts", "mcts"),
    ("client", "random", "mcts"),
    ("client", "greedy", "mcts"),
    ("nobody", "mcts"),
)
Place = tuple[str, int]


def run_kill_storm(
    args: Namespace, folder: Path, servers: Mapping[str, Store], rng: Random
) -> Outcome:
    """Run one storm; its outcome."""
    storm = Storm(folder, servers, rng)
    call_command("migrate", verbosity=0)
    places = [place for table in islice(cycle(TABLES), args.games) for place in create_game(table)]
    clients = assign_seats(folder, places)
    storm.serve()
    storm.start_clients(clients)
    polling_thread = poll_in_background(storm)
    storm.kill_repeatedly(clients, args.kills, args.pause)
    seconds_to_end = wait_for_end(storm, clients, args.within)
    storm.is_calm.set()
    polling_thread.join()
    storm.stop_all()
    return build_outcome(args, storm, clients, seconds_to_end)


def create_game(table: tuple[str, ...]) -> list[Place]:
    """Create a game; the seats of it that clients play."""
    assignments = [
        SeatAssignment(account=Account.objects.create(name=player))
        if player in ("client", "nobody")
        else SeatAssignment(bot=player)
        for player in table
    ]
    clock = CLOCK if "nobody" in table else None
    game = services.game_create(RULES, assignments, clock=clock).projection.game
    return [(game, seat) for seat, player in enumerate(table) if player == "client"]


def assign_seats(folder: Path, places: list[Place]) -> list[Client]:
    """Assign the seats to clients; the last client also gets the seats of the first, so that they
    race."""
    shares = [places[number::CLIENTS] for number in range(CLIENTS)]
    shares[-1] = [*shares[0], *shares[-1]]
    return [Client(folder / f"client-{number}.jsonl", share) for number, share in enumerate(shares)]


def wait_for_end(storm: Storm, clients: list[Client], timeout: float) -> float:
    """Wait until all games are over and the clients have noticed; the seconds since the last
    kill."""
    last, end = storm.kills[-1].at, time() + timeout
    while is_any_open() and time() < end:
        storm.start_clients(clients)
        sleep(0.1)
    seconds_to_end = time() - last
    while any(client.poll() is None for client in storm.clients.values()) and time() < end:
        storm.start_clients(clients)
        sleep(0.1)
    return round(seconds_to_end, 1)


def is_any_open() -> bool:
    """Whether any game is not over yet."""
    close_old_connections()
    try:
        return Game.objects.exclude(phase=Game.Phase.OVER).exists()
    except Error:
        connection.close()
        return True


# -- the check -------------------------------------------------------------------------------------


def build_outcome(
    args: Namespace, storm: Storm, clients: list[Client], seconds_to_end: float
) -> Outcome:
    """The figures, and everything that is wrong."""
    all_attempts = [attempt for client in clients for attempt in attempts(client.journal)]
    client_seats = {place for client in clients for place in client.places}
    logs, faults = readable_logs()
    faults += [
        *log_check.faults(logs, all_attempts, client_seats),
        *storm.orphans,
        *detection_faults(logs, all_attempts, client_seats),
    ]
    bot_seconds = kill_storm_report.bot_recovery_seconds(
        storm.kills, list(logs.values()), client_seats
    )
    web_kills = [kill.at for kill in storm.kills if kill.victim in ("web", "supervisor")]
    web_seconds = kill_storm_report.seconds_to_next(web_kills, storm.answers)
    return Outcome(
        stores=args.stores,
        games=len(logs),
        entries=sum(len(log.lines) for log in logs.values()),
        kills=dict(Counter(kill.victim for kill in storm.kills)),
        **kill_storm_report.call_counts(all_attempts),
        bot_recovery=kill_storm_report.median_or_zero(bot_seconds),
        bot_recovery_longest=max(bot_seconds, default=0.0),
        web_recovery=kill_storm_report.median_or_zero(web_seconds),
        web_recovery_longest=max(web_seconds, default=0.0),
        seconds_to_the_end=seconds_to_end,
        troubles=Trouble.objects.count(),
        at_random=Trouble.objects.filter(attempts__gte=MAX_ATTEMPTS).count(),
        faults=faults,
    )


def readable_logs() -> tuple[dict[str, log_check.Log], list[str]]:
    """Every log, replayed from its first entry, and the faults of those that are broken."""
    position_cache.cache.clear()
    logs, faults = {}, []
    for game in Game.objects.values_list("pk", flat=True):
        verdict = stored_games.verify_game(game)
        try:
            logs[game] = log_check.log(game)
        except (BrokenLog, UnlockError) as problem:
            faults.append(f"{game}: {problem}")
        faults += [] if verdict.is_good else [str(verdict)]
    return logs, faults


def detection_faults(
    logs: dict[str, log_check.Log], all_attempts: list[Attempt], client_seats: set[Place]
) -> list[str]:
    """Verify that the check detects a lost entry: remove an acknowledged one, which it must
    report."""
    acknowledged = next(
        (attempt for attempt in reversed(all_attempts) if attempt.outcome == OK), None
    )
    if acknowledged is None:
        return ["no action of a client was acknowledged"]
    game, seq = acknowledged.call.game, acknowledged.answer["first"]
    damaged_logs = {**logs, game: logs[game].without(seq)}
    is_detected = any(
        f"entry {seq} was acknowledged, and is lost" in fault
        for fault in log_check.faults(damaged_logs, all_attempts, client_seats)
    )
    return [] if is_detected else ["the check does not see what is lost"]
