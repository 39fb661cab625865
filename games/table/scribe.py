"""How does something that happens become entries? The scribe works on a table in memory; nothing is
in the log before its rows are appended."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from games.engines.base import Rng
from games.engines.common.codec import Json
from games.fairness import chain
from games.fairness.draws import FairRng
from games.fairness.secret import draw_key
from games.table import actions
from games.table.entry import Entry, Place, Row, row
from games.table.fold import after, created, level
from games.table.table import Table


class NoDraws(Rng):
    """For what happens without chance."""

    def below(self, limit: int) -> int:
        raise AssertionError("only the start and the game's own actions draw")


class Step(NamedTuple):
    """An entry as it is kept, and the table after it."""

    row: Row
    table: Table


@dataclass
class Scribe:
    """A pen over a table: what it writes goes on from the head `hash`."""

    secret: bytes = field(repr=False)
    table: Table
    hash: str
    steps: list[Step] = field(default_factory=list)

    @property
    def rows(self) -> list[Row]:
        """What it has written."""
        return [step.row for step in self.steps]

    def write(self, seat: int | None, action: Any, now: datetime) -> Table:
        """One more entry, and the table after it; Refused or IllegalAction, and nothing changed.

        `action` is the JSON of one of the game's actions, or one of `games.table.actions`.
        """
        document = action if isinstance(action, dict) else actions.ACTIONS.to_json(action)
        entry = Entry(seat, _not_before(self.table.entry.at, now), document)
        self._keep(after(self.table, entry, self._rng(action)))
        return self.table

    def start_if_complete(self, now: datetime, position: Json = None) -> None:
        """Deal as soon as everybody sits and every promised seed is open."""
        if self.table.phase == "gathering" and self.table.is_complete:
            self.write(None, actions.Start(level(self.table), position), now)

    def end_if_due(self, now: datetime) -> None:
        """Close the log once the game is decided."""
        if (outcome := self.table.due()) is not None:
            self.write(None, actions.End(self.secret.hex(), outcome), now)

    def _rng(self, action: Any) -> Rng:
        if not isinstance(action, (dict, actions.Start)):
            return NoDraws()
        key = draw_key(self.secret, self.table.game, self.table.seeds)
        return FairRng(key, self.table.game, self.table.seq + 1)

    def _keep(self, table: Table) -> None:
        place = Place(table.game, table.seq, self.hash, self.secret)
        written = row(table.entry, place, tuple(table.readers))
        self.table, self.hash = table, written.hash
        self.steps.append(Step(written, table))


def opened_log(game: str, secret: bytes, create: actions.Create, now: datetime) -> Scribe:
    """A scribe that has written the first entry of a new log."""
    table = created(game, Entry(None, moment(now), actions.ACTIONS.to_json(create)))
    first = row(table.entry, Place(game, 1, chain.GENESIS, secret), ())
    return Scribe(secret, table, first.hash, [Step(first, table)])


def moment(time: datetime) -> str:
    """A time as entries have it: in UTC, to the millisecond."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _not_before(last: str, now: datetime) -> str:
    """Now, or the time of the last entry if the clock has gone back."""
    return max(moment(now), last)
