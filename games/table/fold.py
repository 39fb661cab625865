"""What does an entry make of a table? The one fold: for what is appended, loaded and verified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from games import registry
from games.engines.base import Rng
from games.engines.common import codec
from games.engines.common.log import step
from games.engines.common.rng import RecordingRng
from games.fairness import secret as secrets
from games.table import actions, forks, rated
from games.table.entry import Entry, pointer
from games.table.table import Deed, Moment, Occupant, Refused, Table


def created(game: str, entry: Entry) -> Table:
    """The table after its first entry."""
    create = actions.ACTIONS.from_json(entry.action)
    if not isinstance(create, actions.Create) or entry.seat is not None:
        raise Refused("not-created", "The first entry must create the table.")
    rated.check_created(create)
    engine = registry.engine(create.rules, create.version)
    fewest, most = engine.about.seats
    if not fewest <= create.seats <= most:
        sentence = f"{engine.about.title} is for {engine.about.players}, not {create.seats}."
        raise Refused("wrong-seats", sentence)
    options = codec.from_json(engine.about.options, create.options, "/options")
    create = replace(create, options=codec.to_json(options))
    normal = entry._replace(action=actions.ACTIONS.to_json(create), draws=None)
    free = (None,) * create.seats
    return Table(game, 1, normal, create, engine, options, "gathering", free)


def after(table: Table, entry: Entry, rng: Rng) -> Table:
    """The table after one more entry, whose draws come from `rng`; Refused or IllegalAction."""
    if table.phase == "over":
        raise Refused("game-over", "The game is over.")
    if entry.at < table.entry.at:
        raise Refused("back-dated", "The entry is earlier than the one before it.")
    kind = entry.action.get("type") if isinstance(entry.action, dict) else None
    if isinstance(kind, str) and kind.startswith(actions.PREFIX):
        action = actions.ACTIONS.from_json(entry.action)
        seated = entry._replace(action=actions.ACTIONS.to_json(action), draws=None)
        base = replace(table, seq=table.seq + 1, entry=seated, readers={})
        return DOINGS[type(action)](base, entry.seat, action, rng)
    return _acted(table, entry, rng)


# -- gathering ------------------------------------------------------------------------------------


def _joined(table: Table, seat: int | None, join: actions.Join, rng: Rng) -> Table:
    place = _gathering_seat(table, seat)
    if table.occupants[place] is not None:
        raise Refused("seat-taken", f"Seat {place} is taken.")
    if join.seed_hash is not None and not _is_hex(join.seed_hash, range(32, 33)):
        raise Refused("bad-seed-hash", "A seed's hash is 64 hexadecimal digits.")
    rated.check_joined(table, join)
    late = table.late or any(who is not None and who.seed is not None for who in table.occupants)
    return replace(_seated(table, place, Occupant(join.bot, join.seed_hash)), late=late)


def _left(table: Table, seat: int | None, leave: actions.Leave, rng: Rng) -> Table:
    return _seated(table, _taken_seat(table, seat), None)


def _seed_opened(table: Table, seat: int | None, opening: actions.OpenSeed, rng: Rng) -> Table:
    place = _taken_seat(table, seat)
    who = table.occupants[place]
    if who is None or who.seed_hash is None or who.seed is not None:
        raise Refused("no-seed-due", f"Seat {place} has no seed to open.")
    if not all(table.occupants):
        raise Refused("seats-open", "Seeds are opened when everybody has joined.")
    if not _is_hex(opening.seed, secrets.SEED_LENGTHS):
        raise Refused("bad-seed", "A seed is 16 to 64 bytes in hexadecimal digits.")
    if secrets.seed_hash(bytes.fromhex(opening.seed)) != who.seed_hash:
        raise Refused("wrong-seed", "The seed is not the one whose hash was given on joining.")
    return _seated(table, place, replace(who, seed=opening.seed))


def _started(table: Table, seat: int | None, start: actions.Start, rng: Rng) -> Table:
    _by_the_table(seat)
    if table.phase != "gathering" or not table.is_complete:
        raise Refused("not-complete", "The game cannot start before every seat is ready.")
    if start.level != level(table):
        raise Refused("wrong-level", f"The fairness level of this table is {level(table)}.")
    recorder = RecordingRng(rng)
    state = forks.dealt(table, start.position, recorder)
    now = Moment(table.seq, table.entry.at)
    sealed = table.create.origin is not None and table.create.origin.seat is not None
    return replace(
        table,
        entry=table.entry._replace(draws=tuple(recorder.draws)),
        readers={pointer("position"): 0} if sealed else {},
        phase="playing",
        state=state,
        since=(now,) * table.create.seats,
        deeds=(None,) * table.create.seats,
        level=start.level,
    )


def level(table: Table) -> int:
    """2 if nobody but bots goes without a seed of its own and none was open when another joined."""
    people = [who for who in table.occupants if who is not None and who.bot is None]
    return 2 if people and all(who.seed_hash for who in people) and not table.late else 1


# -- playing --------------------------------------------------------------------------------------


def _acted(table: Table, entry: Entry, rng: Rng) -> Table:
    """An action of the game itself, by the seat that makes it."""
    if table.phase != "playing" or table.state is None:
        raise Refused("not-started", "The game has not started.")
    if entry.seat is None:
        raise Refused("no-seat", "An action of the game needs a seat.")
    if table.due() is not None:
        raise Refused("game-over", "The game is over.")
    engine, seat, before = table.engine, entry.seat, table.state
    code = engine.encode(before, seat, entry.action)
    recorder = RecordingRng(rng)
    following = step(before, seat, code, recorder)
    document = engine.document(before, seat, code)
    seq, now = table.seq + 1, Moment(table.seq + 1, entry.at)
    late = still_deciding(int(before.to_act), seat, int(following.to_act))
    return replace(
        table,
        seq=seq,
        entry=entry._replace(action=document, draws=tuple(recorder.draws)),
        readers={pointer(f): mask for f, mask in engine.sealed(before, seat, code).items()},
        state=following,
        since=tuple(old if late >> s & 1 else now for s, old in enumerate(table.since)),
        deeds=put(table.deeds, seat, Deed(seq, table.since[seat].seq, document)),
    )


def still_deciding(before: int, seat: int, following: int) -> int:
    """The seats to which an action makes no difference, as a bit mask: they decided at the same
    time, sealed, and still have to."""
    if before & before - 1 == 0 or not before >> seat & 1:
        return 0
    return before & following & ~(1 << seat)


def _resigned(table: Table, seat: int | None, resign: actions.Resign, rng: Rng) -> Table:
    place = _playing_seat(table, seat)
    if table.has_resigned(place):
        raise Refused("resigned", f"Seat {place} has resigned already.")
    return replace(table, resigned=table.resigned | 1 << place)


def _timed_out(table: Table, seat: int | None, late: actions.TimeOut, rng: Rng) -> Table:
    place = _playing_seat(table, seat)
    expiry, clock = table.expiry(place), table.create.clock
    if expiry is None or clock is None or datetime.fromisoformat(table.entry.at) < expiry:
        raise Refused("in-time", f"The clock of seat {place} has not run out.")
    if late.then != clock.then:
        raise Refused("wrong-expiry", f"At this table, expiry means: {clock.then}.")
    return table


def _replaced(table: Table, seat: int | None, by: actions.Replace, rng: Rng) -> Table:
    place = _playing_seat(table, seat)
    rated.check_replaced(table, place)
    who = table.occupants[place]
    assert who is not None
    since = put(table.since, place, Moment(table.seq, table.entry.at))  # whoever comes has time
    return replace(_seated(table, place, replace(who, bot=by.bot)), since=since)


def _ended(table: Table, seat: int | None, end: actions.End, rng: Rng) -> Table:
    _by_the_table(seat)
    due = table.due()
    if end.result != due:
        raise Refused("wrong-result", "That is not how the game ended.")
    if due is None and table.phase != "gathering":
        raise Refused("not-over", "The game is not over.")
    secret = bytes.fromhex(end.secret) if _is_hex(end.secret, range(32, 33)) else b""
    if secrets.commitment(table.game, secret) != table.create.commitment:
        raise Refused("wrong-secret", "The secret is not the one committed to.")
    return replace(table, phase="over", outcome=due, secret=end.secret)


Doing = Callable[[Table, int | None, Any, Rng], Table]
DOINGS: Final[dict[type[Any], Doing]] = {
    actions.Join: _joined,
    actions.Leave: _left,
    actions.OpenSeed: _seed_opened,
    actions.Start: _started,
    actions.Resign: _resigned,
    actions.TimeOut: _timed_out,
    actions.Replace: _replaced,
    actions.End: _ended,
}


# -- seats ----------------------------------------------------------------------------------------


def _by_the_table(seat: int | None) -> None:
    if seat is not None:
        raise Refused("not-a-seat", "The table does this by itself.")


def _seat(table: Table, seat: int | None) -> int:
    if seat is None or not 0 <= seat < table.create.seats:
        raise Refused("unknown-seat", f"There is no seat {seat} at this table.")
    return seat


def _gathering_seat(table: Table, seat: int | None) -> int:
    if table.phase != "gathering":
        raise Refused("started", "The game has started.")
    return _seat(table, seat)


def _taken_seat(table: Table, seat: int | None) -> int:
    place = _gathering_seat(table, seat)
    if table.occupants[place] is None:
        raise Refused("seat-free", f"Nobody sits on seat {place}.")
    return place


def _playing_seat(table: Table, seat: int | None) -> int:
    if table.phase != "playing":
        raise Refused("not-started", "The game has not started.")
    if table.due() is not None:
        raise Refused("game-over", "The game is over.")
    return _seat(table, seat)


def _seated(table: Table, seat: int, who: Occupant | None) -> Table:
    return replace(table, occupants=put(table.occupants, seat, who))


def put(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    """The items with another one at that place."""
    return (*items[:place], item, *items[place + 1 :])


def _is_hex(text: str, lengths: range) -> bool:
    """Is this the lower-case hexadecimal form of so many bytes?"""
    digits = set("0123456789abcdef")
    return len(text) % 2 == 0 and len(text) // 2 in lengths and set(text) <= digits
