"""The fold of a log's entries into a projection: the only one, for appending, loading and
verifying."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from tabularium_engines.base import Rng, State
from tabularium_engines.common import json_codec
from tabularium_engines.common.random_generators import RecordingRng
from tabularium_engines.common.replayable_log import apply_to_copy
from tabularium_engines.installed.registry import find_engine
from tabularium_log.fairness.committed_draws import SEED_BYTES, commitment, seed_hash
from tabularium_log.projection import agreements, initial_state, table_actions
from tabularium_log.projection.endings import DECIDING_ENTRIES
from tabularium_log.projection.entry import Entry, action_pointer
from tabularium_log.projection.projection import (
    EntryMoment,
    GameRefusal,
    LastAction,
    Occupant,
    Projection,
    Proposal,
    TakebackPoint,
)
from tabularium_log.projection.seat_checks import (
    replace_item,
    require_gathering_seat,
    require_no_seat,
    require_playing_seat,
    require_taken_seat,
    with_occupant,
)

TYPES_KEPT: Final = DECIDING_ENTRIES + 1


def create_projection(game: str, entry: Entry) -> Projection:
    """The projection after the first entry."""
    create = table_actions.TABLE_ACTION_CODEC.from_json(entry.action)
    if not isinstance(create, table_actions.Create) or entry.seat is not None:
        raise GameRefusal("not-created", "The first entry must create the table.")
    _check_rated_creation(create)
    engine = find_engine(create.rules, create.version)
    min_seats, max_seats = engine.about.seats
    if not min_seats <= create.seats <= max_seats:
        sentence = (
            f"{engine.about.title} is for {engine.about.player_count_text}, not {create.seats}."
        )
        raise GameRefusal("wrong-seats", sentence)
    options = engine.read_options(create.options, create.seats, "/options")
    create = replace(create, options=json_codec.to_json(options))
    canonical_entry = entry._replace(
        action=table_actions.TABLE_ACTION_CODEC.to_json(create), draws=None
    )
    occupants = (None,) * create.seats
    return Projection(game, 1, canonical_entry, create, engine, options, "gathering", occupants)


def apply_entry(table: Projection, entry: Entry, rng: Rng) -> Projection:
    """The projection after one more entry, drawing from `rng`; GameRefusal or IllegalAction if
    refused."""
    if table.phase == "over":
        raise GameRefusal("game-over", "The game is over.")
    if entry.at < table.entry.at:
        raise GameRefusal("back-dated", "The entry is earlier than the one before it.")
    kind = entry.action.get("type") if isinstance(entry.action, dict) else None
    if isinstance(kind, str) and kind.startswith(table_actions.TYPE_PREFIX):
        action = table_actions.TABLE_ACTION_CODEC.from_json(entry.action)
        canonical_entry = entry._replace(
            action=table_actions.TABLE_ACTION_CODEC.to_json(action), draws=None
        )
        base = replace(
            table,
            seq=table.seq + 1,
            entry=canonical_entry,
            field_readers={},
            previous_at=table.entry.at,
            table_types=(*table.table_types, kind)[-TYPES_KEPT:],
        )
        return TABLE_ACTION_HANDLERS[type(action)](base, entry.seat, action, rng)
    return _apply_game_action(table, entry, rng)


# -- gathering ------------------------------------------------------------------------------------


def _apply_join(
    table: Projection, seat: int | None, join: table_actions.Join, rng: Rng
) -> Projection:
    place = require_gathering_seat(table, seat)
    if table.occupants[place] is not None:
        raise GameRefusal("seat-taken", f"Seat {place} is taken.")
    if join.seed_hash is not None and not _is_hex(join.seed_hash, range(32, 33)):
        raise GameRefusal("bad-seed-hash", "A seed hash has 64 lower-case hexadecimal digits.")
    _check_rated_join(table, join)
    is_late = table.has_late_joiner or any(
        occupant is not None and occupant.seed is not None for occupant in table.occupants
    )
    return replace(
        with_occupant(table, place, Occupant(join.bot, join.seed_hash)), has_late_joiner=is_late
    )


def _apply_leave(
    table: Projection, seat: int | None, leave: table_actions.Leave, rng: Rng
) -> Projection:
    return with_occupant(table, require_taken_seat(table, seat), None)


def _apply_open_seed(
    table: Projection, seat: int | None, opening: table_actions.OpenSeed, rng: Rng
) -> Projection:
    place = require_taken_seat(table, seat)
    occupant = table.occupants[place]
    if occupant is None or occupant.seed_hash is None or occupant.seed is not None:
        raise GameRefusal("no-seed-due", f"Seat {place} has no seed to open.")
    if not all(table.occupants):
        raise GameRefusal("seats-open", "Seeds are opened when all seats are taken.")
    if not _is_hex(opening.seed, SEED_BYTES):
        raise GameRefusal("bad-seed", "A seed is 16 to 64 bytes in lower-case hexadecimal digits.")
    if seed_hash(bytes.fromhex(opening.seed)) != occupant.seed_hash:
        raise GameRefusal("wrong-seed", "The seed does not match the hash sent on joining.")
    return with_occupant(table, place, replace(occupant, seed=opening.seed))


def _apply_start(
    table: Projection, seat: int | None, start: table_actions.Start, rng: Rng
) -> Projection:
    require_no_seat(seat)
    if table.phase != "gathering" or not table.is_ready_to_start:
        raise GameRefusal("not-complete", "The game cannot start before every seat is ready.")
    if start.level != fairness_level(table):
        raise GameRefusal(
            "wrong-level", f"The fairness level of this table is {fairness_level(table)}."
        )
    recorder = RecordingRng(rng)
    state = initial_state.initial_state(table, start.position, recorder)
    now = EntryMoment(table.seq, table.entry.at)
    is_sealed = table.creation.origin is not None and table.creation.origin.seat is not None
    return replace(
        table,
        entry=table.entry._replace(draws=tuple(recorder.draws)),
        field_readers={action_pointer("position"): 0} if is_sealed else {},
        phase="playing",
        first=table.seq,
        state=state,
        choice_since=(now,) * table.creation.seats,
        last_actions=(None,) * table.creation.seats,
        fairness_level=start.level,
    )


def fairness_level(table: Projection) -> int:
    """2 if an account plays, each account gave a seed of its own, and no seed was open when another
    player joined; otherwise 1."""
    people = [
        occupant for occupant in table.occupants if occupant is not None and occupant.bot is None
    ]
    return (
        2
        if people and all(occupant.seed_hash for occupant in people) and not table.has_late_joiner
        else 1
    )


# -- playing --------------------------------------------------------------------------------------


def _apply_game_action(table: Projection, entry: Entry, rng: Rng) -> Projection:
    """An action of the game itself, by the seat that makes it."""
    if table.phase != "playing" or table.state is None:
        raise GameRefusal("not-started", "The game has not started.")
    if entry.seat is None:
        raise GameRefusal("no-seat", "An action of the game needs a seat.")
    table.check_can_act()
    engine, seat, old_state = table.engine, entry.seat, table.state
    code = engine.encode(old_state, seat, entry.action)
    recorder = RecordingRng(rng)
    new_state = apply_to_copy(old_state, seat, code, recorder)
    document = engine.action_json(old_state, seat, code)
    seq, now = table.seq + 1, EntryMoment(table.seq + 1, entry.at)
    deciding_seats = seats_still_deciding(int(old_state.to_act), seat, int(new_state.to_act))
    sealed_fields = engine.sealed_fields(old_state, seat, code)
    return replace(
        table,
        seq=seq,
        entry=entry._replace(action=document, draws=tuple(recorder.draws)),
        previous_at=table.entry.at,
        table_types=(),
        field_readers={action_pointer(f): mask for f, mask in sealed_fields.items()},
        state=new_state,
        reacted_seats=engine.reacted_after(old_state, table.reacted_seats, seat),
        choice_since=tuple(
            moment if deciding_seats >> s & 1 else now
            for s, moment in enumerate(table.choice_since)
        ),
        last_actions=replace_item(
            table.last_actions, seat, LastAction(seq, table.choice_since[seat].seq, document)
        ),
        has_person_acted=table.has_person_acted or bool(table.people >> seat & 1),
        proposal=proposal_after_action(table, seat),
        spent_proposals=0,
        takeback_points=()
        if recorder.draws or sealed_fields
        else _takeback_points(table, seat, new_state),
    )


def proposal_after_action(table: Projection, seat: int) -> Proposal | None:
    """The open proposal after an action of `seat`: the action of another person declines it, and
    nothing can be taken back by an earlier proposal."""
    proposal = table.proposal
    if proposal is None or proposal.of == "takeback":
        return None
    return None if seat != proposal.seat and table.people >> seat & 1 else proposal


def _takeback_points(table: Projection, seat: int, new_state: State) -> tuple[TakebackPoint, ...]:
    """The positions to return to after an action without draws and sealed fields."""
    old_state = table.state
    assert old_state is not None
    bots, states = table.bot_seats, (old_state, new_state)
    if table.creation.rated or (
        bots and any((int(each.to_act) | int(each.reacting_seats())) & bots for each in states)
    ):
        return ()
    earlier = table.takeback_points
    if earlier and earlier[-1].seat != seat:
        earlier = ()
    point = TakebackPoint(table.seq, seat, old_state, table.reacted_seats)
    return (*earlier, point)[-agreements.MAX_TAKEN_BACK :]


def seats_still_deciding(old_mask: int, seat: int, new_mask: int) -> int:
    """The seats to which an action makes no difference, as a bit mask: they decide at the same
    time, sealed, and have not decided yet."""
    if old_mask & old_mask - 1 == 0 or not old_mask >> seat & 1:
        return 0
    return old_mask & new_mask & ~(1 << seat)


def _apply_resign(
    table: Projection, seat: int | None, resign: table_actions.Resign, rng: Rng
) -> Projection:
    place = require_playing_seat(table, seat)
    if table.has_resigned(place):
        raise GameRefusal("resigned", f"Seat {place} has resigned already.")
    return replace(
        table,
        resigned_seats=table.resigned_seats | 1 << place,
        proposal=None,
        takeback_points=(),
    )


def _apply_time_out(
    table: Projection, seat: int | None, time_out: table_actions.TimeOut, rng: Rng
) -> Projection:
    place = require_playing_seat(table, seat)
    expiry, clock = table.seat_deadline(place), table.creation.clock
    if expiry is None or clock is None or datetime.fromisoformat(table.entry.at) < expiry:
        raise GameRefusal("in-time", f"The clock of seat {place} has not run out.")
    if time_out.then != clock.then:
        raise GameRefusal("wrong-expiry", f"At this table, expiry means: {clock.then}.")
    return replace(table, proposal=None, takeback_points=())


def _apply_replace(
    table: Projection, seat: int | None, replacement: table_actions.Replace, rng: Rng
) -> Projection:
    place = require_playing_seat(table, seat)
    _check_rated_replacement(table, place)
    occupant = table.occupants[place]
    assert occupant is not None
    # the new player gets the full time
    choice_since = replace_item(table.choice_since, place, EntryMoment(table.seq, table.entry.at))
    return replace(
        with_occupant(table, place, replace(occupant, bot=replacement.bot)),
        choice_since=choice_since,
        proposal=None,
        takeback_points=(),
    )


def _apply_end(table: Projection, seat: int | None, end: table_actions.End, rng: Rng) -> Projection:
    require_no_seat(seat)
    due = table.decided_outcome
    if end.result != due:
        raise GameRefusal("wrong-result", "The result is not the outcome of the game.")
    if due is None and table.phase != "gathering" and not table.has_no_result:
        raise GameRefusal("not-over", "The game is not over.")
    secret = bytes.fromhex(end.secret) if _is_hex(end.secret, range(32, 33)) else b""
    if commitment(table.game, secret) != table.creation.commitment:
        raise GameRefusal("wrong-secret", "The secret does not match the commitment.")
    return replace(
        table, phase="over", outcome=due, secret=end.secret, paused_at=None, proposal=None
    )


TableActionHandler = Callable[[Projection, int | None, Any, Rng], Projection]
TABLE_ACTION_HANDLERS: Final[dict[type[Any], TableActionHandler]] = {
    table_actions.Join: _apply_join,
    table_actions.Leave: _apply_leave,
    table_actions.OpenSeed: _apply_open_seed,
    table_actions.Start: _apply_start,
    table_actions.Resign: _apply_resign,
    table_actions.TimeOut: _apply_time_out,
    table_actions.Replace: _apply_replace,
    table_actions.End: _apply_end,
    table_actions.Abort: agreements.apply_abort,
    table_actions.Propose: agreements.apply_propose,
    table_actions.Accept: agreements.apply_accept,
    table_actions.Decline: agreements.apply_decline,
    table_actions.Takeback: agreements.apply_takeback,
    table_actions.Pause: agreements.apply_pause,
    table_actions.Resume: agreements.apply_resume,
    table_actions.Claim: agreements.apply_claim,
    table_actions.Expire: agreements.apply_expire,
    table_actions.Hint: agreements.apply_hint,
}


def _is_hex(text: str, lengths: range) -> bool:
    """Whether the text is the lower-case hexadecimal form of so many bytes."""
    digits = set("0123456789abcdef")
    return len(text) % 2 == 0 and len(text) // 2 in lengths and set(text) <= digits


# -- rated tables: no player can prevent the end of the game, and only its players play ------------


def _check_rated_creation(create: table_actions.Create) -> None:
    """Refuse to rate a game that could go on for ever, or that does not begin with a deal."""
    if not create.rated:
        return
    if create.origin is not None:
        raise GameRefusal("rated-fork", "A fork cannot be rated.")
    if create.clock is None or create.clock.then == "bot":
        sentence = "A rated game needs a clock with `then` set to `resign` or `random`."
        raise GameRefusal("rated-clock", sentence)


def _check_rated_join(table: Projection, join: table_actions.Join) -> None:
    """Refuse a bot a second seat; services refuse accounts, which the log does not name."""
    bots = [
        occupant.bot
        for occupant in table.occupants
        if occupant is not None and occupant.bot is not None
    ]
    if table.creation.rated and join.bot in bots:
        raise duplicate_seat_refusal()


def _check_rated_replacement(table: Projection, seat: int) -> None:
    """Refuse to let a bot win for a player."""
    if table.creation.rated and not table.has_resigned(seat):
        raise GameRefusal(
            "rated-substitute", "No bot may take over a seat of a rated game: resign instead."
        )


def duplicate_seat_refusal() -> GameRefusal:
    """The refusal of a second seat."""
    return GameRefusal("rated-twice", "In a rated game every player has one seat.")
