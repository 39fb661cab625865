"""The entry writer: turns actions into the next entries of a log, on a projection in memory;
nothing is in the log before its rows are appended."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from tabularium_engines.base import Rng
from tabularium_engines.common.json_codec import Json
from tabularium_log.fairness.committed_draws import FairRng, draw_key
from tabularium_log.fairness.signed_hash_chain import GENESIS_HASH
from tabularium_log.projection import table_actions
from tabularium_log.projection.entry import Entry, EntryPlace, StoredEntry, seal_entry
from tabularium_log.projection.fold import apply_entry, create_projection, fairness_level
from tabularium_log.projection.projection import Projection, format_time


class NoDrawsRng(Rng):
    """The Rng of table actions without chance: to draw is an error."""

    def below(self, limit: int) -> int:
        raise AssertionError("only the start and the game's own actions may draw")


class WrittenEntry(NamedTuple):
    """An entry as it is stored, and the projection after it."""

    stored_entry: StoredEntry
    projection: Projection


@dataclass
class EntryWriter:
    """Writes entries that continue a projection, from the hash `head_hash` on."""

    secret: bytes = field(repr=False)
    projection: Projection
    head_hash: str
    written_entries: list[WrittenEntry] = field(default_factory=list)

    @property
    def rows(self) -> list[StoredEntry]:
        """The stored form of the entries written so far."""
        return [step.stored_entry for step in self.written_entries]

    def write(self, seat: int | None, action: Any, now: datetime) -> Projection:
        """Write one more entry and return the projection after it. Raises GameRefusal or
        IllegalAction, and then changes nothing.

        `action` is the JSON of one of the game's actions, or one of
        `tabularium_log.projection.table_actions`.
        """
        document = (
            action if isinstance(action, dict) else table_actions.TABLE_ACTION_CODEC.to_json(action)
        )
        entry = Entry(seat, _later_of(self.projection.entry.at, now), document)
        self._record(apply_entry(self.projection, entry, self._rng_for(action)))
        return self.projection

    def finish(self, now: datetime) -> None:
        """Write the start, the consequence of an agreement and the end that follow from the
        entries written so far."""
        self.start_if_complete(now)
        self.carry_out_agreement(now)
        self.end_if_due(now)

    def start_if_complete(self, now: datetime, position: Json = None) -> None:
        """Deal as soon as every seat is taken and every promised seed is open."""
        if self.projection.phase == "gathering" and self.projection.is_ready_to_start:
            self.write(None, table_actions.Start(fairness_level(self.projection), position), now)

    def carry_out_agreement(self, now: datetime) -> None:
        """Write the takeback or the pause that all people have agreed on."""
        proposal = self.projection.proposal
        if proposal is None or not self.projection.is_agreed:
            return
        if proposal.of == "takeback" and proposal.to is not None:
            self.write(None, table_actions.Takeback(proposal.to), now)
        elif proposal.of == "pause":
            self.write(None, table_actions.Pause(), now)

    def end_if_due(self, now: datetime) -> None:
        """Close the log once the game is decided."""
        if self.projection.phase == "playing" and self.projection.is_decided:
            outcome = self.projection.decided_outcome
            self.write(None, table_actions.End(self.secret.hex(), outcome), now)

    def _rng_for(self, action: Any) -> Rng:
        if not isinstance(action, (dict, table_actions.Start)):
            return NoDrawsRng()
        key = draw_key(self.secret, self.projection.game, self.projection.open_seeds)
        return FairRng(key, self.projection.game, self.projection.seq + 1)

    def _record(self, table: Projection) -> None:
        place = EntryPlace(table.game, table.seq, self.head_hash, self.secret)
        stored_entry = seal_entry(table.entry, place, tuple(table.field_readers))
        self.projection, self.head_hash = table, stored_entry.hash
        self.written_entries.append(WrittenEntry(stored_entry, table))


def start_log(game: str, secret: bytes, create: table_actions.Create, now: datetime) -> EntryWriter:
    """An entry writer that has written the first entry of a new log."""
    table = create_projection(
        game, Entry(None, format_time(now), table_actions.TABLE_ACTION_CODEC.to_json(create))
    )
    first = seal_entry(table.entry, EntryPlace(game, 1, GENESIS_HASH, secret), ())
    return EntryWriter(secret, table, first.hash, [WrittenEntry(first, table)])


def _later_of(last: str, now: datetime) -> str:
    """Now, or the time of the last entry if the clock has gone back."""
    return max(format_time(now), last)
