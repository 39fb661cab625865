"""The projection of a game after an entry: the state and the table's facts, all that the log says,
and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.english_text import TITLES_ONLY, is_calling_seats, seats_called
from tabularium_engines.common.json_codec import Json
from tabularium_log.fairness.canonical_json import encode_canonical
from tabularium_log.projection.endings import Ending, ending_after
from tabularium_log.projection.entry import Entry
from tabularium_log.projection.table_actions import PAUSE_MS, Agreement, Create, Outcome
from tabularium_log.projection.table_news import table_news

Phase = Literal["gathering", "playing", "over"]
TOKEN_LENGTH: Final = 22  # hex digits of a choice token
CACHED_TOKENS: Final = 10_000


class GameRefusal(ValueError):
    """The table refuses this now, with a stable code for programs and a sentence for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Occupant:
    """The player on a seat: an account (not named in the log), or a bot."""

    bot: str | None = None
    seed_hash: str | None = None
    seed: str | None = None


class EntryMoment(NamedTuple):
    """An entry, by its seq and its time."""

    seq: int
    at: str


class LastAction(NamedTuple):
    """The last action of a seat, and the seq since which it had had that choice."""

    seq: int
    choice_since: int
    action: Json


class Proposal(NamedTuple):
    """A proposal that people may accept, by the seq of its entry."""

    seq: int
    seat: int
    of: Agreement
    to: int | None  # of a takeback: the entry to return to
    accepted: int  # bit mask of seats, with the one that made it


class TakebackPoint(NamedTuple):
    """A position to which a seat may return, by the seq of the last entry before its action."""

    seq: int
    seat: int
    state: State  # never changed in place
    reacted_seats: int


@dataclass(frozen=True)
class Projection:
    """A game as it stands after entry `seq`."""

    game: str
    seq: int
    entry: Entry  # the last one, complete
    creation: Create
    engine: AnyEngine
    options: Any
    phase: Phase
    occupants: tuple[Occupant | None, ...]
    # of the last entry's sealed fields
    field_readers: Mapping[str, int] = field(default_factory=dict)
    first: int | None = None  # the seq of the start
    state: State | None = None  # never changed in place
    choice_since: tuple[EntryMoment, ...] = ()  # by seat: the last entry that mattered to it
    last_actions: tuple[LastAction | None, ...] = ()
    resigned_seats: int = 0  # bit mask of seats
    reacted_seats: int = 0  # those that have reacted since the table last went on, as a bit mask
    fairness_level: int = 1
    has_late_joiner: bool = False  # a player joined when a seed was open
    outcome: Outcome | None = None
    secret: str | None = None  # revealed at the end
    has_person_acted: bool = False
    proposal: Proposal | None = None
    spent_proposals: int = 0  # the seats that have made one since the last action, as a bit mask
    takeback_points: tuple[TakebackPoint, ...] = ()  # of the last actions, all of one seat
    paused_at: str | None = None
    is_void: bool = False  # aborted, ended by consent or expired: there is no result
    previous_at: str = ""  # the time of the entry before the last
    table_types: tuple[str, ...] = ()  # of the table's entries since the last action of the game

    def check_going_on(self) -> None:
        """Refuse an entry before the start, after the end, or where only one can follow."""
        if self.phase != "playing":
            raise GameRefusal("not-started", "The game has not started.")
        if self.is_decided:
            raise GameRefusal("game-over", "The game is over.")
        if self.is_agreed:
            sentence = "The players have agreed: only the consequence can follow."
            raise GameRefusal("agreed", sentence)

    def check_can_act(self) -> None:
        """Refuse an action of the game now."""
        self.check_going_on()
        self.check_not_paused()

    def check_not_paused(self) -> None:
        """Refuse an entry in a pause."""
        if self.paused_at is not None:
            raise GameRefusal("paused", "The game is paused: resume it first.")

    # -- awaited seats ------------------------------------------------------------------------

    @property
    def awaited_seats(self) -> int:
        """The seats whose action the table waits for, as a bit mask."""
        if self.phase != "playing" or self.state is None or self.paused_at is not None:
            return 0
        return int(self.state.to_act)

    @property
    def free_seats(self) -> list[int]:
        """The seats without a player."""
        return [seat for seat, occupant in enumerate(self.occupants) if occupant is None]

    @property
    def bot_seats(self) -> int:
        """The seats that bots play, as a bit mask."""
        return sum(
            1 << seat for seat, occupant in enumerate(self.occupants) if occupant and occupant.bot
        )

    @property
    def people(self) -> int:
        """The seats that people play who have not resigned, as a bit mask."""
        return sum(
            1 << seat
            for seat, occupant in enumerate(self.occupants)
            if occupant and occupant.bot is None and not self.has_resigned(seat)
        )

    def is_awaited(self, seat: int) -> bool:
        """Whether the table waits for this seat."""
        return bool(self.awaited_seats >> seat & 1)

    @property
    def reacting_seats(self) -> list[int]:
        """The seats that may have reactions, clockwise from the first awaited one."""
        if self.state is None or self.phase != "playing" or self.is_decided or self.paused_at:
            return []
        return self.engine.reacting_seats(self.state)

    def has_resigned(self, seat: int) -> bool:
        """Whether the first player of this seat has resigned."""
        return bool(self.resigned_seats >> seat & 1)

    @property
    def is_ready_to_start(self) -> bool:
        """Whether every seat is taken, and every promised seed is open."""
        return all(
            occupant and (occupant.seed_hash is None or occupant.seed)
            for occupant in self.occupants
        )

    @property
    def open_seeds(self) -> tuple[str | None, ...]:
        """The open seeds, by seat."""
        return tuple(None if occupant is None else occupant.seed for occupant in self.occupants)

    def news(self, viewer: int | None) -> list[dict[str, Json]]:
        """The news of the last entry, for `viewer` (None: an onlooker)."""
        table_items = table_news(self.entry, self.engine.about.title, self._reason_of_end())
        if self.state is None or self.entry.draws is None:
            return table_items
        return [*table_items, *self.engine.news(self.state, viewer)]

    def _reason_of_end(self) -> str:
        """The reason of a result in words that call the seats as the reader does; "" if those of
        the log do."""
        if self.outcome is None or self.state is None or not is_calling_seats():
            return ""
        with seats_called(TITLES_ONLY):
            plain = self.engine.result(self.state)
        if plain is None or plain.reason != self.outcome.reason:
            return ""
        named = self.engine.result(self.state)
        return named.reason if named else ""

    @property
    def asked_seats(self) -> int:
        """The seats that have not answered the open proposal, as a bit mask."""
        return 0 if self.proposal is None else self.people & ~self.proposal.accepted

    # -- the choice of a seat -----------------------------------------------------------------

    def choice_token(self, seat: int) -> str:
        """The token of the present decision of `seat`. It follows from entry numbers alone: it
        changes when anything happens that could matter to the seat, and reveals nothing."""
        return choice_token(self.game, seat, self.choice_since[seat].seq)

    # -- clocks -------------------------------------------------------------------------------

    def seat_deadline(self, seat: int) -> datetime | None:
        """When the time of `seat` for its present decision ends, if it is on a clock."""
        if self.creation.clock is None or not self.is_awaited(seat):
            return None
        started_at = datetime.fromisoformat(self.choice_since[seat].at)
        return started_at + timedelta(milliseconds=self.creation.clock.action_ms)

    @property
    def deadline(self) -> datetime | None:
        """When the first clock runs out, or the pause ends."""
        if self.pause_end is not None:
            return self.pause_end
        expiries = [self.seat_deadline(seat) for seat in range(self.creation.seats)]
        return min((expiry for expiry in expiries if expiry is not None), default=None)

    @property
    def pause_end(self) -> datetime | None:
        """When the table resumes a paused game by itself."""
        if self.paused_at is None or self.phase != "playing":
            return None
        return datetime.fromisoformat(self.paused_at) + timedelta(milliseconds=PAUSE_MS)

    # -- the end ------------------------------------------------------------------------------

    @property
    def is_agreed(self) -> bool:
        """Whether all people have accepted the proposal: only its consequence can follow."""
        return self.proposal is not None and not self.asked_seats

    @property
    def ending(self) -> Ending | None:
        """How the game came to its end; None if it is not over."""
        if self.phase != "over":
            return None
        return ending_after(self.table_types[:-1], has_result=self.outcome is not None)

    @property
    def is_decided(self) -> bool:
        """Whether only the end can follow."""
        return self.has_no_result or self.decided_outcome is not None

    @property
    def has_no_result(self) -> bool:
        """Whether the game ends without a result: it was aborted or expired, or people agreed."""
        return self.is_void or (
            self.is_agreed and self.proposal is not None and self.proposal.of == "end"
        )

    @cached_property
    def decided_outcome(self) -> Outcome | None:
        """The outcome, once the rules or resignations have decided the game."""
        if self.phase != "playing" or self.state is None:
            return None
        seats = range(self.creation.seats)
        active_seats = [seat for seat in seats if not self.has_resigned(seat)]
        if len(active_seats) == 1:
            return Outcome((active_seats[0],), None, "Everybody else has resigned.")
        if self.has_no_result:
            return None
        if self.is_agreed and self.proposal is not None and self.proposal.of == "draw":
            return Outcome(tuple(active_seats), None, "The players have agreed on a draw.")
        result = self.engine.result(self.state)
        if result is None:
            return None
        winners = tuple(seat for seat in result.winners if seat in active_seats)
        return Outcome(winners or self._best_of(active_seats), result.scores, result.reason)

    def _best_of(self, seats: list[int]) -> tuple[int, ...]:
        """The best seats among those that did not resign."""
        assert self.state is not None
        returns = self.state.returns()
        best_return = max(returns[seat] for seat in seats)
        return tuple(seat for seat in seats if returns[seat] == best_return)


def format_time(time: datetime) -> str:
    """A time in the format of entries: in UTC, to the millisecond."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@lru_cache(maxsize=CACHED_TOKENS)
def choice_token(game: str, seat: int, seq: int) -> str:
    """The token of the decision that `seat` has had since that entry."""
    decision = encode_canonical([game, seat, seq]).encode()
    return sha256(b"tabularium/choice/1" + decision).hexdigest()[:TOKEN_LENGTH]
