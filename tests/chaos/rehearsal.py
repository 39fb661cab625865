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
from tests.chaos import checking, outcome
from tests.chaos.journal import OK, Attempt, attempts
from tests.chaos.outcome import Outcome
from tests.chaos.stores import Store
from tests.chaos.storm import Client, Storm, in_background

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


def endured(wish: Namespace, folder: Path, servers: Mapping[str, Store], rng: Random) -> Outcome:
    """Run one storm; its outcome."""
    storm = Storm(folder, servers, rng)
    call_command("migrate", verbosity=0)
    places = [place for table in islice(cycle(TABLES), wish.games) for place in created(table)]
    clients = seated(folder, places)
    storm.serve()
    storm.attend(clients)
    caller = in_background(storm)
    storm.rage(clients, wish.kills, wish.pause)
    took = calm(storm, clients, wish.within)
    storm.calm.set()
    caller.join()
    storm.end()
    return judged(wish, storm, clients, took)


def created(table: tuple[str, ...]) -> list[Place]:
    """Create a game; the seats of it that clients play."""
    seating = [
        SeatAssignment(account=Account.objects.create(name=who))
        if who in ("client", "nobody")
        else SeatAssignment(bot=who)
        for who in table
    ]
    clock = CLOCK if "nobody" in table else None
    game = services.game_create(RULES, seating, clock=clock).projection.game
    return [(game, seat) for seat, who in enumerate(table) if who == "client"]


def seated(folder: Path, places: list[Place]) -> list[Client]:
    """Assign the seats to clients; the last client also gets the seats of the first, so that they
    race."""
    shares = [places[number::CLIENTS] for number in range(CLIENTS)]
    shares[-1] = [*shares[0], *shares[-1]]
    return [Client(folder / f"client-{number}.jsonl", share) for number, share in enumerate(shares)]


def calm(storm: Storm, clients: list[Client], within: float) -> float:
    """Wait until all games are over and the clients have noticed; the seconds since the last
    kill."""
    last, end = storm.kills[-1].at, time() + within
    while is_any_open() and time() < end:
        storm.attend(clients)
        sleep(0.1)
    took = time() - last
    while any(client.poll() is None for client in storm.clients.values()) and time() < end:
        storm.attend(clients)
        sleep(0.1)
    return round(took, 1)


def is_any_open() -> bool:
    """Whether any game is not over yet."""
    close_old_connections()
    try:
        return Game.objects.exclude(phase=Game.Phase.OVER).exists()
    except Error:
        connection.close()
        return True


# -- the check -------------------------------------------------------------------------------------


def judged(wish: Namespace, storm: Storm, clients: list[Client], took: float) -> Outcome:
    """The figures, and everything that is wrong."""
    tried = [attempt for client in clients for attempt in attempts(client.journal)]
    attended = {place for client in clients for place in client.places}
    logs, found = readable_logs()
    found += [
        *checking.faults(logs, tried, attended),
        *storm.orphans,
        *blind(logs, tried, attended),
    ]
    bots = outcome.bots_again(storm.kills, list(logs.values()), attended)
    web = [kill.at for kill in storm.kills if kill.victim in ("web", "supervisor")]
    web_again = outcome.again(web, storm.answers)
    return Outcome(
        stores=wish.stores,
        games=len(logs),
        entries=sum(len(log.lines) for log in logs.values()),
        kills=dict(Counter(kill.victim for kill in storm.kills)),
        **outcome.calls(tried),
        bots_again=outcome.middle(bots),
        bots_again_longest=max(bots, default=0.0),
        web_again=outcome.middle(web_again),
        web_again_longest=max(web_again, default=0.0),
        seconds_to_the_end=took,
        troubles=Trouble.objects.count(),
        at_random=Trouble.objects.filter(attempts__gte=MAX_ATTEMPTS).count(),
        faults=found,
    )


def readable_logs() -> tuple[dict[str, checking.Log], list[str]]:
    """Every log, replayed from its first entry, and the faults of those that are broken."""
    position_cache.cache.clear()
    logs, broken = {}, []
    for game in Game.objects.values_list("pk", flat=True):
        verdict = stored_games.verify_game(game)
        try:
            logs[game] = checking.log(game)
        except (BrokenLog, UnlockError) as problem:
            broken.append(f"{game}: {problem}")
        broken += [] if verdict.is_good else [str(verdict)]
    return logs, broken


def blind(logs: dict[str, checking.Log], tried: list[Attempt], attended: set[Place]) -> list[str]:
    """Verify that the check detects a lost entry: remove an acknowledged one, which it must
    report."""
    told = next((attempt for attempt in reversed(tried) if attempt.outcome == OK), None)
    if told is None:
        return ["no action of a client was acknowledged"]
    game, seq = told.call.game, told.answer["first"]
    robbed = {**logs, game: logs[game].without(seq)}
    named = any(
        f"entry {seq} was acknowledged, and is lost" in fault
        for fault in checking.faults(robbed, tried, attended)
    )
    return [] if named else ["the check does not see what is lost"]
