"""The writer of export files: yields a game line by line, its entries as they are hashed, then the
sealed fields that the viewer may read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tabularium_engines.common.json_codec import Json
from tabularium_log.audit.export_format import (
    VIEWER_ONLOOKER,
    WITH_RECORD,
    ExportFormat,
    Header,
    Record,
    RecordLine,
    Reveal,
    RevealLine,
    Trailer,
    TrailerLine,
    format_line,
    keyed_by_seq,
    reveal_ranges,
    signed_seqs,
    viewer_seat,
)
from tabularium_log.fairness.committed_draws import field_salt
from tabularium_log.fairness.encryption import GameCipher
from tabularium_log.fairness.signed_hash_chain import Receipt, public_key, sign_receipt
from tabularium_log.projection.entry import (
    StoredEntry,
    finished_fields,
    readable_fields,
    sealed_fields,
)
from tabularium_log.projection.projection import GameRefusal, Projection
from tabularium_log.projection.table_actions import Create


class ExportEntry(NamedTuple):
    """An entry with its sealed fields, and the readers of each while the game is running."""

    row: StoredEntry
    sealed_fields: Mapping[str, Json]
    readers: Mapping[str, int]


def export_entry(row: StoredEntry, table: Projection) -> ExportEntry:
    """The export entry of any game, given the projection after the entry."""
    return ExportEntry(
        row, sealed_fields(table.entry, tuple(table.field_readers)), table.field_readers
    )


def finished_export_entry(row: StoredEntry, cipher: GameCipher) -> ExportEntry:
    """The export entry of a finished game."""
    return ExportEntry(row, finished_fields(row, cipher), {})


def sealed_export_entry(row: StoredEntry) -> ExportEntry:
    """The export entry of a running game whose rules are not installed: only they know the readers
    of its sealed fields."""
    return ExportEntry(row, {}, {})


@dataclass(frozen=True)
class ExportSource:
    """A game to export."""

    game: str
    creation: Create
    is_over: bool
    is_second_format: bool  # whether an entry needs export/2
    secret: bytes = field(repr=False)
    entries: Iterable[ExportEntry]
    receipts: tuple[Receipt, ...] | None = None  # of an imported game; None: played here
    record: Record | None = None  # the proof of a game that is over, if it is to be added


def write_export(log: ExportSource, viewer: str, signing_key: bytes) -> Iterator[str]:
    """The lines of a game's export for a viewer, without line feeds; raises GameRefusal if the
    viewer may not have it."""
    seat = _check_viewer(log, viewer)
    yield format_line(_build_header(log, viewer))
    fields_by_seq: list[tuple[int, dict[str, Json]]] = []
    hashes: list[str] = []
    for row, fields, readers in log.entries:
        yield row.text
        hashes.append(row.hash)
        fields_by_seq.append(
            (row.seq, dict(fields) if log.is_over else readable_fields(fields, readers, seat))
        )
    yield from _reveal_lines(log, fields_by_seq)
    yield _trailer_line(log, hashes, signing_key)
    if log.record:
        yield format_line(RecordLine(log.record))


def _build_header(log: ExportSource, viewer: str) -> Header:
    create = log.creation
    ruleset = create.rules, create.version, create.seats
    export_format: ExportFormat = "export/2" if log.is_second_format else "export/1"
    if log.record:
        export_format = WITH_RECORD
    return Header(export_format, log.game, *ruleset, viewer, create.key)


def _check_viewer(log: ExportSource, viewer: str) -> int | None:
    try:
        seat = viewer_seat(viewer)
    except ValueError:
        seat = -1
    if seat is not None and not 0 <= seat < log.creation.seats:
        raise GameRefusal("unknown-seat", f"The game has no viewer {viewer}.")
    if seat is None and viewer != VIEWER_ONLOOKER and not log.is_over:
        raise GameRefusal("not-over", "The full log can be read only after the game ends.")
    return seat


def _reveal_lines(
    log: ExportSource, fields_by_seq: list[tuple[int, dict[str, Json]]]
) -> Iterator[str]:
    for seq_range in reveal_ranges(len(fields_by_seq)):
        part = fields_by_seq[seq_range.start - 1 : seq_range.stop - 1]
        salts = (
            None
            if log.is_over
            else keyed_by_seq((seq, _field_salts(log, seq, fields)) for seq, fields in part)
        )
        yield format_line(RevealLine(Reveal(keyed_by_seq(part), salts)))


def _field_salts(log: ExportSource, seq: int, fields: Mapping[str, Json]) -> dict[str, Json]:
    return {path: field_salt(log.secret, log.game, seq, path).hex() for path in fields}


def _trailer_line(log: ExportSource, hashes: list[str], signing_key: bytes) -> str:
    """The trailer. A server signs only games played on it; an imported game keeps its receipts."""
    receipts = log.receipts
    if receipts is None:
        is_ours = public_key(signing_key) == log.creation.key
        receipts = tuple(
            sign_receipt(signing_key, log.game, seq, hashes[seq - 1])
            for seq in (signed_seqs(len(hashes)) if is_ours else ())
        )
    return format_line(TrailerLine(Trailer(len(hashes), hashes[-1], receipts)))
