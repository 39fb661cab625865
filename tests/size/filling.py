"""Filling a store: accounts, and games whose logs the service's own writer writes, in a batch of
games for each transaction."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games import ids
from games.models import Account
from games.services.game_creation import game_insert
from tabularium_engines.base import AnyEngine
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed import registry
from tabularium_log.fairness.committed_draws import commitment, new_secret
from tabularium_log.fairness.signed_hash_chain import public_key
from tabularium_log.projection import table_actions
from tabularium_log.projection.entry import StoredEntry
from tabularium_log.projection.entry_writer import EntryWriter, start_log
from tabularium_log.projection.projection import Projection
from tests.games.sitting import some_action

BATCH_GAMES: Final = 200
BATCH_ACCOUNTS: Final = 5000
RATED_SHARE: Final = 0.1
RUNNING_SHARE: Final = 0.02  # as on a server that finishes its games
BUSY_SHARE: Final = 0.05  # of games with the account that plays most
PAIR: Final = 2
CLOCK: Final = table_actions.Clock(3_600_000, "resign")


@dataclass(frozen=True)
class Plan:
    """The games that a process makes."""

    busy: str  # the account that plays most
    games: int
    entries_each: int
    seed: int


class FinishedLog(NamedTuple):
    """A log as it is inserted."""

    table: Projection
    rows: list[StoredEntry]
    secret: bytes
    accounts: list[Account]


def add_accounts(count: int) -> list[Account]:
    """Insert so many accounts."""
    accounts: list[Account] = []
    while len(accounts) < count:
        size = min(BATCH_ACCOUNTS, count - len(accounts))
        names = (f"Player {len(accounts) + number}" for number in range(size))
        accounts += Account.objects.bulk_create(Account(name=name) for name in names)
    return accounts


def add_games(plan: Plan) -> Iterator[int]:
    """Play and insert these games between accounts that are there; the entries of each batch."""
    chance = random.Random(plan.seed)
    accounts = sorted(Account.objects.order_by("id"), key=lambda each: each.pk != plan.busy)
    for first in range(0, plan.games, BATCH_GAMES):
        count = min(BATCH_GAMES, plan.games - first)
        logs = [_played_log(plan, chance, accounts) for _ in range(count)]
        with transaction.atomic():
            for log in logs:
                game_insert(
                    log.table, log.rows, log.secret, accounts=log.accounts, owner=log.accounts[0]
                )
        yield sum(len(log.rows) for log in logs)


def _played_log(plan: Plan, chance: random.Random, accounts: list[Account]) -> FinishedLog:
    """A game at random, resigned when it becomes longer than planned; some still run."""
    engine = chance.choice(_newest_engines())
    seats = engine.about.seats[0]
    players = chance.sample(accounts, seats)
    if chance.random() < BUSY_SHARE and accounts[0] not in players:
        players[0] = accounts[0]
    secret = new_secret()
    is_rated = seats == PAIR and chance.random() < RATED_SHARE
    writer = _started_writer(engine, secret, is_rated=is_rated)
    rng = FastRng(chance.getrandbits(32))
    # lengths as uneven as those of real games, about the planned mean
    most = chance.randint(plan.entries_each // 3, 2 * plan.entries_each - plan.entries_each // 3)
    while writer.projection.phase == "playing" and len(writer.rows) < most:
        seat, action = some_action(writer.projection, rng)
        _write(writer, seat, action)
    if chance.random() >= RUNNING_SHARE:
        for seat in range(seats):
            if writer.projection.phase == "playing":
                _write(writer, seat, table_actions.Resign())
    return FinishedLog(writer.projection, writer.rows, secret, players)


def _started_writer(engine: AnyEngine, secret: bytes, *, is_rated: bool) -> EntryWriter:
    """The writer of a new game whose seats are taken; a rated one has two legs where it must."""
    slug, version, seats = engine.about.slug, engine.about.version, engine.about.seats[0]
    needs_legs = is_rated and engine.rating_refusal(engine.about.options(), seats)
    options = {"legs": PAIR} if needs_legs else {}
    game = ids.new_id("game")
    create = table_actions.Create(
        slug,
        version,
        registry.ruleset_digest(slug, version),
        seats,
        options,
        commitment(game, secret),
        public_key(settings.SIGNING_KEYS[0]),
        CLOCK if is_rated else None,
        rated=is_rated,
    )
    writer = start_log(game, secret, create, timezone.now())
    for seat in range(seats):
        _write(writer, seat, table_actions.Join(None, None))
    return writer


def _write(writer: EntryWriter, seat: int, action: Any) -> None:
    now = timezone.now()
    writer.write(seat, action, now)
    writer.finish(now)


@cache
def _newest_engines() -> list[AnyEngine]:
    return [engine for _, engine in sorted(registry.ENGINES.items())]


def main(arguments: list[str]) -> None:
    """Make the games of these arguments, and print the entries of each batch."""
    busy, *numbers = arguments
    for entries in add_games(Plan(busy, *map(int, numbers))):
        print(entries, flush=True)  # noqa: T201
