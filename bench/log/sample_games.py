"""Sample logs: real games of Law of the Dice, played at random by seats that put off every count;
and tables at which a player joins and leaves repeatedly before the first card is dealt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games import ids, position_cache
from games.log_store import LogHead, insert_first_rows
from games.models import Game
from games.position_cache import Position
from tabularium_engines.base import AnyEngine
from tabularium_engines.common import json_codec
from tabularium_engines.common.bits import lowest
from tabularium_engines.common.json_codec import Json
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed import registry
from tabularium_engines.law_of_the_dice.game_options import Options
from tabularium_log.fairness.committed_draws import commitment, new_secret
from tabularium_log.fairness.encryption import lock_secret
from tabularium_log.fairness.signed_hash_chain import public_key
from tabularium_log.projection import table_actions
from tabularium_log.projection.entry_writer import EntryWriter, start_log
from tabularium_log.projection.projection import Projection

RULESET_SLUG: Final = "law_of_the_dice"
SEAT_COUNT: Final = 3
LONG_GAME_SEATS: Final = 2  # games with two seats last longest
LONG_GAME_OPTIONS: Final = Options(points_to_win=10)
POSTPONED_ACTION: Final = f"{RULESET_SLUG}.call_count"  # the game goes on while a count is put off


def write_dealt_game(length: int) -> EntryWriter:
    """A game just dealt, with `length` entries. Entries beyond create, join and start are a player
    joining and leaving, so that the first decisions are the same after a log of any length."""
    scribe = write_new_game(registry.ENGINES[RULESET_SLUG], SEAT_COUNT, Options())
    for _ in range((length - SEAT_COUNT - 2) // 2):
        scribe.write(0, table_actions.Join(), timezone.now())
        scribe.write(0, table_actions.Leave(), timezone.now())
    return seat_players(scribe)


def write_long_game(length: int) -> EntryWriter:
    """A game of `length` entries, nearly all of them decisions of its seats. One that ends too
    early is played again with other cards."""
    engine = registry.ENGINES[RULESET_SLUG]
    while True:
        rng = FastRng(length)
        scribe = seat_players(write_new_game(engine, LONG_GAME_SEATS, LONG_GAME_OPTIONS))
        while scribe.projection.seq < length and scribe.projection.awaited_seats:
            scribe.write(*pick_action(scribe.projection, rng), timezone.now())
        if scribe.projection.seq == length:
            return scribe


def write_new_game(engine: AnyEngine, seats: int, options: Any) -> EntryWriter:
    """A new table."""
    game, secret, about = ids.new_id("game"), new_secret(), engine.about
    creation = table_actions.Create(
        rules=about.slug,
        version=about.version,
        digest=registry.ruleset_digest(about.slug, about.version),
        seats=seats,
        options=json_codec.to_json(options),
        commitment=commitment(game, secret),
        key=public_key(settings.SIGNING_KEYS[0]),
    )
    return start_log(game, secret, creation, timezone.now())


def seat_players(scribe: EntryWriter) -> EntryWriter:
    """The table with a player on every seat, and the cards dealt."""
    for seat in range(scribe.projection.creation.seats):
        scribe.write(seat, table_actions.Join(), timezone.now())
    scribe.start_if_complete(timezone.now())
    return scribe


def pick_action(table: Projection, rng: FastRng) -> tuple[int, Json]:
    """An awaited seat, and a random action of it that puts off the end."""
    state: Any = table.state
    seat = lowest(state.to_act)
    choices = [
        table.engine.action_codec.to_json(table.engine.decode(state, seat, code))
        for code in state.legal_actions(seat)
    ]
    postponing = [choice for choice in choices if choice["type"] != POSTPONED_ACTION] or choices
    return seat, postponing[rng.below(len(postponing))]


def store_game(scribe: EntryWriter) -> str:
    """Store a written game; its id."""
    table = scribe.projection
    with transaction.atomic():
        Game.objects.create(
            id=table.game,
            rules=table.creation.rules,
            version=table.creation.version,
            seats=table.creation.seats,
            secret=lock_secret(settings.SEALING_KEYS, table.game, scribe.secret),
            **LogHead(scribe.head_hash, table).columns(),
        )
        insert_first_rows(table.game, scribe.rows)
    position_cache.cache.store(Position(table, scribe.head_hash, scribe.secret))
    return table.game


def entry_sizes(scribe: EntryWriter) -> Sequence[int]:
    """The bytes of each entry in its columns of text and bytes."""
    return [
        sum(len(value) for value in row.columns if isinstance(value, str | bytes))
        for row in scribe.rows
    ]
