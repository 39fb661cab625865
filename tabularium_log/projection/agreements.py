"""The entries by which people agree or part: proposals and their consequences, aborts, claims and
expiry, and hints."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from tabularium_engines.base import Rng
from tabularium_engines.common.bits import first_n
from tabularium_log.projection import table_actions
from tabularium_log.projection.projection import (
    EntryMoment,
    GameRefusal,
    Projection,
    Proposal,
    TakebackPoint,
    format_time,
)
from tabularium_log.projection.seat_checks import (
    replace_item,
    require_no_seat,
    require_person,
    require_seat,
)

MAX_TAKEN_BACK: Final = 8  # actions


# -- proposals ------------------------------------------------------------------------------------


def apply_propose(
    table: Projection, seat: int | None, proposal: table_actions.Propose, rng: Rng
) -> Projection:
    """The projection after a proposal."""
    place = require_person(table, seat)
    table.check_not_paused()
    if table.proposal is not None:
        raise GameRefusal("proposal-open", "A proposal is open: accept or decline it first.")
    if table.spent_proposals >> place & 1:
        sentence = "This seat has made a proposal since the last action: the game must go on first."
        raise GameRefusal("proposed-already", sentence)
    if (proposal.to is None) == (proposal.of == "takeback"):
        sentence = "A takeback names the entry to return to, and no other proposal does."
        raise GameRefusal("wrong-proposal", sentence)
    _check_proposal(table, place, proposal)
    return replace(
        table,
        proposal=Proposal(table.seq, place, proposal.of, proposal.to, 1 << place),
        spent_proposals=table.spent_proposals | 1 << place,
    )


def _check_proposal(table: Projection, seat: int, proposal: table_actions.Propose) -> None:
    is_alone = table.people == 1 << seat
    if table.creation.rated and (is_alone or proposal.of in ("end", "takeback")):
        raise GameRefusal(
            "rated-proposal", "In a rated game people may agree on a draw or a pause, nothing else."
        )
    if proposal.of == "draw":
        _check_draw(table, is_alone)
    elif proposal.of == "pause" and table.creation.clock is None:
        raise GameRefusal("no-clock", "This table has no clock that a pause could stop.")
    elif proposal.of == "takeback":
        point = _takeback_point(table, proposal.to)
        if point.seat != seat:
            raise GameRefusal("not-your-seat", "Only one's own actions can be taken back.")


def _check_draw(table: Projection, is_alone: bool) -> None:
    active_bots = table.bot_seats & ~table.resigned_seats
    if is_alone or active_bots:
        raise GameRefusal("no-draw", "A draw needs the consent of all players, and bots give none.")
    assert table.state is not None
    partners = table.state.team_of(0) == first_n(table.creation.seats)
    if not table.engine.about.can_be_drawn or partners:
        raise GameRefusal("no-draw", "The rules of this game know no draw.")


def apply_accept(
    table: Projection, seat: int | None, accept: table_actions.Accept, rng: Rng
) -> Projection:
    """The projection after a consent."""
    place = require_person(table, seat)
    proposal = _require_proposal(table, accept.proposal)
    if proposal.accepted >> place & 1:
        raise GameRefusal("accepted", f"Seat {place} has accepted this proposal.")
    return replace(table, proposal=proposal._replace(accepted=proposal.accepted | 1 << place))


def apply_decline(
    table: Projection, seat: int | None, decline: table_actions.Decline, rng: Rng
) -> Projection:
    """The projection after a proposal was declined or withdrawn."""
    require_person(table, seat)
    _require_proposal(table, decline.proposal)
    return replace(table, proposal=None)


def _require_proposal(table: Projection, seq: int) -> Proposal:
    if table.proposal is None or table.proposal.seq != seq:
        raise GameRefusal("no-such-proposal", "This proposal is no longer open.")
    return table.proposal


# -- their consequences ---------------------------------------------------------------------------


def apply_takeback(
    table: Projection, seat: int | None, takeback: table_actions.Takeback, rng: Rng
) -> Projection:
    """The projection after a return to an earlier position: draws go on and never repeat."""
    require_no_seat(seat)
    proposal = _require_agreement(table, "takeback")
    point = _takeback_point(table, takeback.to)
    if takeback.to != proposal.to:
        raise GameRefusal("wrong-consequence", "Another takeback was agreed.")
    now = EntryMoment(table.seq, table.entry.at)
    index = table.takeback_points.index(point)
    return replace(
        table,
        proposal=None,
        state=point.state,
        reacted_seats=point.reacted_seats,
        takeback_points=table.takeback_points[:index],
        choice_since=(now,) * table.creation.seats,
        last_actions=replace_item(table.last_actions, point.seat, None),
    )


def _takeback_point(table: Projection, seq: int | None) -> TakebackPoint:
    for point in table.takeback_points:
        if point.seq == seq:
            return point
    sentence = (
        "Only actions without draws and sealed fields can be taken back, before another seat has"
        " acted or a bot has thought about them."
    )
    raise GameRefusal("no-takeback", sentence)


def apply_pause(
    table: Projection, seat: int | None, pause: table_actions.Pause, rng: Rng
) -> Projection:
    """The projection after the beginning of a pause."""
    require_no_seat(seat)
    _require_agreement(table, "pause")
    return replace(table, proposal=None, paused_at=table.entry.at, takeback_points=())


def apply_resume(
    table: Projection, seat: int | None, resume: table_actions.Resume, rng: Rng
) -> Projection:
    """The projection after a pause: each player has as much time left as before."""
    table.check_going_on()
    if table.paused_at is None or table.pause_end is None:
        raise GameRefusal("not-paused", "The game is not paused.")
    now = datetime.fromisoformat(table.entry.at)
    if seat is not None:
        require_person(table, seat)
    elif now < table.pause_end:
        raise GameRefusal("in-time", "The pause has not lasted for seven days.")
    length = now - datetime.fromisoformat(table.paused_at)
    return replace(
        table,
        paused_at=None,
        choice_since=tuple(
            EntryMoment(since.seq, format_time(datetime.fromisoformat(since.at) + length))
            for since in table.choice_since
        ),
    )


def _require_agreement(table: Projection, of: table_actions.Agreement) -> Proposal:
    if table.phase != "playing" or table.is_decided:
        raise GameRefusal("not-started", "The game is not running.")
    if table.proposal is None or not table.is_agreed or table.proposal.of != of:
        raise GameRefusal("not-agreed", "The people at this table have not agreed on this.")
    return table.proposal


# -- players who leave ----------------------------------------------------------------------------


def apply_abort(
    table: Projection, seat: int | None, abort: table_actions.Abort, rng: Rng
) -> Projection:
    """The projection after a game was aborted before a person had acted."""
    require_person(table, seat)
    if table.creation.rated:
        raise GameRefusal("rated-abort", "A rated game counts from its deal: resign instead.")
    if table.has_person_acted:
        raise GameRefusal("too-late", "A player has acted: resign, or propose to end the game.")
    return replace(table, is_void=True, proposal=None)


def apply_claim(
    table: Projection, seat: int | None, claim: table_actions.Claim, rng: Rng
) -> Projection:
    """The projection after the claim that a player has left."""
    place, absent = require_person(table, seat), require_seat(table, claim.seat)
    if table.creation.clock is not None:
        raise GameRefusal("has-clock", "The clock of this table removes players who are late.")
    if absent == place or not table.people >> absent & 1 or not table.is_awaited(absent):
        sentence = f"The table does not wait for another person on seat {absent}."
        raise GameRefusal("not-late", sentence)
    silence = timedelta(milliseconds=table_actions.CLAIM_AFTER_MS)
    if not _has_passed(table, table.choice_since[absent].at, silence):
        raise GameRefusal("in-time", f"Seat {absent} has not been silent for seven days.")
    return replace(table, proposal=None, takeback_points=())


def apply_expire(
    table: Projection, seat: int | None, expire: table_actions.Expire, rng: Rng
) -> Projection:
    """The projection after the expiry of a game without a clock."""
    require_no_seat(seat)
    table.check_going_on()
    if table.creation.clock is not None:
        raise GameRefusal("has-clock", "A table with a clock does not expire.")
    if not _has_passed(table, table.previous_at, EXPIRE_AFTER):
        raise GameRefusal("in-time", "The last entry is not ninety days old.")
    return replace(table, is_void=True, proposal=None)


EXPIRE_AFTER: Final = timedelta(milliseconds=table_actions.EXPIRE_AFTER_MS)


def _has_passed(table: Projection, since: str, length: timedelta) -> bool:
    """Whether so much time lies between then and the entry that is being applied."""
    return datetime.fromisoformat(table.entry.at) - datetime.fromisoformat(since) >= length


# -- hints ----------------------------------------------------------------------------------------


def apply_hint(
    table: Projection, seat: int | None, hint: table_actions.Hint, rng: Rng
) -> Projection:
    """The projection after a hint: only the log shows it."""
    place = require_person(table, seat)
    if table.creation.rated:
        raise GameRefusal("rated-hint", "A rated game has no hints.")
    if table.people != 1 << place and not table.creation.hints:
        sentence = "Other people play, and the table was made without hints."
        raise GameRefusal("no-hints", sentence)
    return table
