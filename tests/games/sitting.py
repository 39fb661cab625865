"""Random games for the tests: in memory by an entry writer, or in a database by the services."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games import ids, selectors, services
from games.log_store import read_entries, read_hash
from games.models import Account, Entry, Game, Request
from games.services import AppendResult, SeatAssignment, game_creation
from tabularium_engines.common.consequences import Offer
from tabularium_engines.common.json_codec import Json
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed import registry
from tabularium_log.fairness import committed_draws
from tabularium_log.projection.entry import StoredEntry
from tabularium_log.projection.entry_writer import EntryWriter, start_log
from tabularium_log.projection.projection import Projection
from tabularium_log.projection.table_actions import Clock, Create, Join, OpenSeed

SLUG = "law_of_the_dice"
SECRET = bytes(range(32))
SEED = "5eed" * 8
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
BOTS = (SeatAssignment(bot="random"), SeatAssignment(bot="greedy"))


def later(seconds: float) -> datetime:
    """That many seconds after noon."""
    return NOON + timedelta(seconds=seconds)


def new_writer(seats: int = 2, slug: str = SLUG, **fields: Any) -> EntryWriter:
    """An entry writer with an empty table; `fields` are those of Create."""
    game, version = ids.new_id("game"), registry.ENGINES[slug].about.version
    plain = Create(
        slug,
        version,
        registry.ruleset_digest(slug, version),
        seats,
        {},
        committed_draws.commitment(game, SECRET),
        "00" * 32,
    )
    create = Create(**(vars(plain) | fields))
    return start_log(game, SECRET, create, NOON)


def dealt_writer(seats: int = 2, slug: str = SLUG, **fields: Any) -> EntryWriter:
    """An entry writer with a table that was just dealt: accounts sit on all seats."""
    scribe = new_writer(seats, slug, **fields)
    for seat in range(seats):
        scribe.write(seat, Join(), NOON)
    scribe.start_if_complete(NOON)
    return scribe


def some_action(table: Projection, rng: FastRng) -> tuple[int, Json]:
    """An awaited seat, and a random action of it."""
    assert table.state is not None
    awaited = table.engine.awaited_seats(table.state)
    seat = awaited[int(rng.below(len(awaited)))]
    code = table.state.random_action(seat, rng)
    return seat, table.engine.action_codec.to_json(table.engine.decode(table.state, seat, code))


def play_on(scribe: EntryWriter, seed: int = 1, most: int = 100_000) -> list[Projection]:
    """Play at random, for at most `most` actions; the table after each action."""
    rng, tables = FastRng(seed), [scribe.projection]
    while scribe.projection.phase == "playing" and len(tables) <= most:
        tables.append(scribe.write(*some_action(scribe.projection, rng), later(len(tables))))
        scribe.end_if_due(later(len(tables)))
    return tables


def whole_log(seats: int = 2, seed: int = 1, slug: str = SLUG, **fields: Any) -> EntryWriter:
    """A game with a seed of seat 0, from its creation to its end."""
    scribe = new_writer(seats, slug, **fields)
    scribe.write(0, Join(seed_hash=seed_hash()), NOON)
    for seat in range(1, seats):
        scribe.write(seat, Join(bot="random"), NOON)
    scribe.write(0, OpenSeed(SEED), NOON)
    scribe.start_if_complete(NOON)
    play_on(scribe, seed)
    return scribe


def seed_hash() -> str:
    """The seed hash that a seat sends for SEED."""
    return committed_draws.seed_hash(bytes.fromhex(SEED))


# -- in the database ------------------------------------------------------------------------------


def bot_game(slug: str = SLUG, seats: int = 2, clock: Clock | None = None) -> str:
    """A new game in the database, with bots on all seats, which are never woken."""
    seating = [SeatAssignment(bot="random")] * seats
    return services.create_game(slug, seating, clock=clock).projection.game


def act(game: str, table: Projection, rng: FastRng) -> AppendResult:
    """Append a random action of an awaited seat."""
    seat, action = some_action(table, rng)
    occupant = table.occupants[seat]
    assert occupant is not None
    return services.append_action(
        game, seat, action, bot=occupant.bot, choice=table.choice_token(seat)
    )


def acting(game: str, seed: int = 1) -> Iterator[AppendResult]:
    """Play a game in the database to its end, one action at a time."""
    rng = FastRng(seed)
    table = selectors.game_projection(game)
    while table.phase == "playing":
        appended = act(game, table, rng)
        table = appended.projection
        yield appended


def table_of(game: str) -> Projection:
    """The current projection of the game."""
    return selectors.game_projection(game)


def turn_of(game: str, seat: int) -> tuple[Projection, dict[str, Any]]:
    """Let the other seats act until `seat` is awaited; the table, and an action of the seat."""
    rng = FastRng(7)
    while True:
        table = table_of(game)
        awaited, action = some_action(table, rng)
        if awaited == seat:
            return table, action
        act(game, table, rng)


def stored_rows(game: str) -> tuple[Any, ...]:
    """All that a refusal must leave unchanged."""
    head = Game.objects.values_list("seq", "hash", "phase", "awaited").get(pk=game)
    return (*head, Entry.objects.filter(game=game).count(), Request.objects.count())


def hash_of(game: str, seq: int) -> str:
    """The hash of an entry."""
    return read_hash(game, seq)


def stored_entries(game: str) -> list[StoredEntry]:
    """The entries of a game, as they are stored."""
    return list(read_entries(game, 0, Game.objects.values_list("seq", flat=True).get(pk=game)))


def duel(account: Account) -> str:
    """A game of an account against a bot that is never woken."""
    seating = [SeatAssignment(account=account), SeatAssignment(bot="random")]
    return services.create_game(SLUG, seating, owner=account).projection.game


# -- laws in words --------------------------------------------------------------------------------


def duel_at_a_question(account: Account, **options: Any) -> tuple[str, Projection]:
    """A game of Duel of Law in which seat 0, the account's, is asked for the law of a branch."""
    seating = [SeatAssignment(account=account), SeatAssignment(bot="random")]
    with fixed_deal():
        created = services.create_game("duel_of_law", seating, options=options, owner=account)
        game = created.projection.game
    while not table_of(game).is_awaited(0):
        act(game, table_of(game), FastRng(1))
    for kind in ("place", "more", "place", "finish"):
        table = table_of(game)
        actions = [offer.action for offer in offered(table, kind)]
        in_row = next(action for action in actions if action.get("row", 0) == 0)
        services.append_action(game, 0, in_row, choice=table.choice_token(0))
    return game, table_of(game)


def offered(table: Projection, kind: str) -> list[Offer]:
    """The legal actions of seat 0 of one kind."""
    choice = selectors.seat_choice(table, 0)
    assert choice is not None
    return [offer for offer in choice.offers if offer.action["type"].endswith(f".{kind}")]


def said_law(table: Projection) -> str:
    """The sentence of a claim that seat 0 can make now."""
    return offered(table, "claim")[0].label.partition(": ")[2]


@contextmanager
def fixed_deal() -> Iterator[None]:
    """Games that are created within have this secret and name, and so always the same deal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_creation, "new_secret", lambda: SECRET)
        patch.setattr(ids, "new_id", lambda prefix: f"{prefix}_{0:032x}")
        yield
