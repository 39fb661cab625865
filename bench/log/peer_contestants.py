"""The peers on PostgreSQL for similar work: the `eventsourcing` library, and a bare INSERT."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import count, cycle
from typing import Any, Final
from urllib.parse import unquote, urlsplit
from uuid import UUID

import psycopg
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from bench.log.worker import Round, repeat_for

SAMPLE_ACTION: Final = {"type": "law_of_the_dice.put_number", "card": "7S", "slot": 1, "number": 12}
SAMPLE_DRAWS: Final = ((3, 20), (17, 52))
SAMPLE_TIME: Final = "2026-11-21T12:00:00.000Z"
SAMPLE_TEXT: Final = "x" * 330  # bytes, like the text and the box of a typical entry of ours
SAMPLE_BOX: Final = b"x" * 140
SAMPLE_HASH: Final = "0" * 64
AGGREGATE_COUNT: Final = 50  # they take turns, so that none grows much


class GameAggregate(Aggregate):
    """The cheapest aggregate that can be called a game: it remembers the last action."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.last: Any = None

    @event("Acted")
    def act(self, seat: int, at: str, action: Any, draws: Any) -> None:
        """An action, with the fields of one of our entries."""
        self.last = seat, action


def create_application() -> Application[UUID]:
    """The library with its default settings, on our database."""
    url = urlsplit(os.environ["DATABASE_URL"])
    environment = {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": url.path.lstrip("/"),
        "POSTGRES_HOST": url.hostname or "",
        "POSTGRES_PORT": str(url.port or 5432),
        "POSTGRES_USER": unquote(url.username or "") or os.environ.get("USER", "root"),
        "POSTGRES_PASSWORD": unquote(url.password or ""),
    }
    return Application[UUID](environment)


def store_game(app: Application[UUID], length: int) -> UUID:
    """A stored aggregate of `length` events."""
    game = GameAggregate(3)
    for number in range(length - 1):
        game.act(number % 3, SAMPLE_TIME, SAMPLE_ACTION, SAMPLE_DRAWS)
    app.save(game)
    return game.id


def save_round() -> Round:
    """Load an aggregate of 100 events, act on it, save it; the unit is an event."""
    app = create_application()
    game_ids = cycle([store_game(app, 100) for _ in range(AGGREGATE_COUNT)])

    def save() -> float:
        game: GameAggregate = app.repository.get(next(game_ids))
        game.act(1, SAMPLE_TIME, SAMPLE_ACTION, SAMPLE_DRAWS)
        app.save(game)
        return 1

    return repeat_for(save)


def load_round() -> Round:
    """Load an aggregate of 1,000 events, without snapshots; the unit is an event."""
    app = create_application()
    name = store_game(app, 1000)

    def load() -> float:
        game: GameAggregate = app.repository.get(name)
        return game.version

    return repeat_for(load)


def insert_round() -> Round:
    """One row of an entry's size per transaction; the unit is a row."""
    connection = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
    connection.execute(
        "CREATE TABLE raw (game text, seq int, text text, hash text, box bytea,"
        " PRIMARY KEY (game, seq))"
    )
    numbers = count(1)

    def insert() -> float:
        row = [
            "game_0199d2f1c5a97000a000000000000000",
            next(numbers),
            SAMPLE_TEXT,
            SAMPLE_HASH,
            SAMPLE_BOX,
        ]
        connection.execute("INSERT INTO raw VALUES (%s, %s, %s, %s, %s)", row)
        return 1

    return repeat_for(insert)


ROUNDS: Final[dict[str, Callable[[], Round]]] = {
    "eventsourcing_save_100": save_round,
    "eventsourcing_load_1000": load_round,
    "insert": insert_round,
}
