"""Where do long logs come from? Real games of Law of the Dice, played at random by seats that put
off every count; and tables at which somebody comes and goes before the first card is dealt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games import ids, positions, registry
from games.appending import Head, insert
from games.engines.common import codec
from games.engines.common.bits import lowest
from games.engines.common.codec import Json
from games.engines.common.rng import FastRng
from games.engines.law_of_the_dice.options import Options
from games.fairness.receipts import public_key
from games.fairness.secret import commitment, fresh_secret
from games.fairness.vault import lock_secret
from games.models import Game
from games.positions import Position
from games.table import actions
from games.table.scribe import Scribe, opened_log
from games.table.table import Table

RULES: Final = "law_of_the_dice"
SEATS: Final = 3
LONG_SEATS: Final = 2  # their games last longest
LONG: Final = Options(points_to_win=10)
PUT_OFF: Final = f"{RULES}.call_count"  # while a count is put off, the game goes on


def begun(length: int) -> Scribe:
    """A game just dealt, with so many entries. Where that needs more than to create, join and
    start, somebody came and went: so the first decisions are the same after a log of any length."""
    scribe = created(SEATS, Options())
    for _ in range((length - SEATS - 2) // 2):
        scribe.write(0, actions.Join(), timezone.now())
        scribe.write(0, actions.Leave(), timezone.now())
    return seated(scribe)


def played(length: int) -> Scribe:
    """A game of so many entries, nearly all of them decisions of its seats. One that is over
    before is played again, with other cards."""
    while True:
        scribe, rng = seated(created(LONG_SEATS, LONG)), FastRng(length)
        while scribe.table.seq < length and scribe.table.awaited:
            scribe.write(*decision(scribe.table, rng), timezone.now())
        if scribe.table.seq == length:
            return scribe


def created(seats: int, options: Options) -> Scribe:
    """A new table."""
    game, secret = ids.fresh("game"), fresh_secret()
    create = actions.Create(
        rules=RULES,
        version=registry.ENGINES[RULES].about.version,
        digest=registry.digest(RULES),
        seats=seats,
        options=codec.to_json(options),
        commitment=commitment(game, secret),
        key=public_key(settings.SIGNING_KEYS[0]),
    )
    return opened_log(game, secret, create, timezone.now())


def seated(scribe: Scribe) -> Scribe:
    """The table with a player on every seat, and the cards dealt."""
    for seat in range(scribe.table.create.seats):
        scribe.write(seat, actions.Join(), timezone.now())
    scribe.start_if_complete(timezone.now())
    return scribe


def decision(table: Table, rng: FastRng) -> tuple[int, Json]:
    """A seat that is awaited, and any action of it that puts the end off."""
    state: Any = table.state
    seat = lowest(state.to_act)
    choices = [
        table.engine.actions.to_json(table.engine.decode(state, seat, code))
        for code in state.legal_actions(seat)
    ]
    patient = [choice for choice in choices if choice["type"] != PUT_OFF] or choices
    return seat, patient[rng.below(len(patient))]


def keep(scribe: Scribe) -> str:
    """Store a game that is written; its name."""
    table = scribe.table
    with transaction.atomic():
        Game.objects.create(
            id=table.game,
            rules=table.create.rules,
            version=table.create.version,
            seats=table.create.seats,
            secret=lock_secret(settings.SEALING_KEYS, table.game, scribe.secret),
            **Head(scribe.hash, table).columns(),
        )
        insert(table.game, scribe.rows)
    positions.memory.keep(Position(table, scribe.hash, scribe.secret))
    return table.game


def sizes(scribe: Scribe) -> Sequence[int]:
    """The bytes that each entry takes, in text and box."""
    return [len(row.text) + len(row.box) for row in scribe.rows]
