"""Whole logs for the tests, made in memory: any ruleset, with bots, seeds, clocks and
resignations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any, Final

from games.audit.export_writer import ExportSource, export_entry, write_export
from tabularium_engines.base import AnyEngine
from tabularium_engines.common import json_codec
from tabularium_engines.common.json_codec import Json
from tabularium_log.fairness.committed_draws import commitment, seed_hash
from tabularium_log.fairness.signed_hash_chain import public_key
from tabularium_log.projection import table_actions
from tabularium_log.projection.entry import StoredEntry
from tabularium_log.projection.entry_writer import EntryWriter, start_log
from tabularium_log.projection.projection import Projection
from tabularium_log.projection.table_actions import needs_second_format
from tests.games import people

SIGNING_KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))
BEGIN = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
DIGEST = sha256(b"rules").hexdigest()
LONG: Final = 120  # actions, after which all resign


@dataclass(frozen=True)
class Plan:
    """The course of a game."""

    engine: AnyEngine
    seats: int
    number: int = 1  # distinguishes the games: ids, secrets, seeds, random choices
    options: Any = None
    has_seeds: bool = False
    clock: table_actions.Clock | None = None
    rated: bool = False
    hints: bool = False
    rematch: str | None = None
    comings: int = 0  # joins that are followed by a leave
    resigns_at: int | None = None  # after this many actions a seat resigns
    expires_at: int | None = None  # after this many actions a seat runs out of time
    ends_at: int | None = None  # after this many actions all resign, one after another
    stops_at: int | None = None  # after this many actions the game is left unfinished
    whim: int = 0  # distinguishes two secrets for one game
    key: bytes = SIGNING_KEY  # of its server

    @property
    def game(self) -> str:
        """The id of the game."""
        return f"game_{self.number:032x}"

    @property
    def secret(self) -> bytes:
        """The secret of its draws."""
        return sha256(b"secret %d %d" % (self.number, self.whim)).digest()

    def seed(self, seat: int) -> bytes:
        """The seed of a seat."""
        return sha256(b"seed %d %d" % (self.number, seat)).digest()


@dataclass
class GameBuilder:
    """A game in the making; entries are a second apart by default."""

    plan: Plan
    scribe: EntryWriter
    tables: list[Projection] = field(default_factory=list)
    now: datetime = BEGIN

    def write(self, seat: int | None, action: Any, seconds: int = 1) -> None:
        """Append an entry."""
        self.now += timedelta(seconds=seconds)
        self.tables.append(self.scribe.write(seat, action, self.now))

    @property
    def table(self) -> Projection:
        """The current projection."""
        return self.scribe.projection

    @property
    def rows(self) -> list[StoredEntry]:
        """The entries."""
        return self.scribe.rows

    def log(self) -> ExportSource:
        """The game, ready for export."""
        table = self.table
        pieces = [export_entry(*pair) for pair in zip(self.rows, self.tables, strict=True)]
        over = table.phase == "over"
        creation, secret = self.tables[0].creation, self.plan.secret
        is_second = any(needs_second_format(table.entry.action) for table in self.tables)
        return ExportSource(table.game, creation, over, is_second, secret, pieces)

    def lines(self, viewer: str = "onlooker", key: bytes | None = None) -> list[bytes]:
        """The export, signed by its server or with another key."""
        export_lines = write_export(self.log(), viewer, key or self.plan.key)
        return [line.encode() + b"\n" for line in export_lines]


def new_plan(engine: AnyEngine, seats: int, number: int = 1, **fields: Any) -> Plan:
    """A plan with that many seats, within the limits of the ruleset."""
    fewest, most = engine.about.seats
    return Plan(engine, min(max(seats, fewest), most), number, **fields)


def play_plan(plan: Plan) -> GameBuilder:
    """The whole game of a plan."""
    builder = start_plan(plan)
    chance = Random(plan.number)
    action_count = 0
    while builder.table.decided_outcome is None and action_count != plan.stops_at:
        action_count += 1
        seat, document = random_decision(builder.table, chance)
        if action_count == plan.expires_at:
            expire(builder, builder.table.engine.awaited_seats(builder.table.state)[0])
        elif action_count == plan.resigns_at:
            builder.write(seat, table_actions.Resign())
            builder.write(seat, table_actions.Replace("random"))
        elif action_count == plan.ends_at:
            give_up(builder)
        else:
            builder.write(seat, document)
    if builder.table.decided_outcome is not None:
        builder.write(None, table_actions.End(plan.secret.hex(), builder.table.decided_outcome))
    return builder


def start_plan(plan: Plan) -> GameBuilder:
    """A game that has just started."""
    builder = open_plan(plan)
    for coming in range(plan.comings):
        builder.write(coming % plan.seats, table_actions.Join())
        builder.write(coming % plan.seats, table_actions.Leave())
    for seat in range(plan.seats):
        promised_hash = seed_hash(plan.seed(seat)) if plan.has_seeds and seat != 1 else None
        builder.write(seat, table_actions.Join("greedy" if seat == 1 else None, promised_hash))
    for seat in (seat for seat in range(plan.seats) if plan.has_seeds and seat != 1):
        builder.write(seat, table_actions.OpenSeed(plan.seed(seat).hex()))
    builder.write(None, table_actions.Start(2 if plan.has_seeds else 1))
    return builder


def people_game(engine: AnyEngine, number: int = 1, seats: int = 2) -> GameBuilder:
    """A game among people, with whatever they agree on."""
    clock = people.CLOCK if number % 2 else None
    rematch = None if number % 5 else new_plan(engine, seats, number + 1).game
    plan = new_plan(engine, seats, number, clock=clock, hints=number % 3 == 0, rematch=rematch)
    builder = open_plan(plan)
    for seat in range(builder.plan.seats):
        builder.write(seat, table_actions.Join())
    builder.write(None, table_actions.Start(1))
    people.play_among_people(builder.scribe, number)
    builder.tables = [step.projection for step in builder.scribe.written_entries]
    return builder


def open_plan(plan: Plan) -> GameBuilder:
    """A game with only its first entry."""
    about = plan.engine.about
    options = json_codec.to_json(plan.options or about.options())
    secret_commitment = commitment(plan.game, plan.secret)
    ruleset_fields = about.slug, about.version, DIGEST, plan.seats, options
    key = public_key(plan.key)
    create = table_actions.Create(
        *ruleset_fields,
        secret_commitment,
        key,
        plan.clock,
        rated=plan.rated,
        hints=plan.hints,
        rematch=plan.rematch,
    )
    scribe = start_log(plan.game, plan.secret, create, BEGIN)
    return GameBuilder(plan, scribe, [scribe.projection])


def random_decision(table: Projection, chance: Random) -> tuple[int, Json]:
    """A random action of an awaited seat."""
    engine, state = table.engine, table.state
    assert state is not None
    seat = chance.choice(engine.awaited_seats(state))
    code = chance.choice(list(state.legal_actions(seat)))
    return seat, engine.action_codec.to_json(engine.decode(state, seat, code))


def give_up(builder: GameBuilder) -> None:
    """Resign every seat that is still played by a person, until the last one has won."""
    for seat in range(builder.table.creation.seats):
        occupant = builder.table.occupants[seat]
        if builder.table.decided_outcome is None and occupant and occupant.bot is None:
            builder.write(seat, table_actions.Resign())


def expire(builder: GameBuilder, seat: int) -> None:
    """Let the time of a seat run out and a bot take it over."""
    clock = builder.plan.clock
    assert clock is not None
    builder.write(seat, table_actions.TimeOut(clock.then), clock.action_ms // 1000 + 1)
    builder.write(seat, table_actions.Replace("greedy"))


def plans(engine: AnyEngine) -> Iterator[Plan]:
    """A few games of one ruleset that together cover all that can happen at a table."""
    fewest, most = engine.about.seats
    clock = table_actions.Clock(60_000, "bot")
    contest = Plan(engine, fewest, 1, has_seeds=True, comings=1, ends_at=LONG)
    yield replace(contest, clock=table_actions.Clock(60_000, "resign"), rated=True)
    crowded = Plan(engine, most, 2, clock=clock, expires_at=5, ends_at=LONG)
    yield replace(crowded, resigns_at=9 if most > 2 else None)
