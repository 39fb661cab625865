"""The reader of export files: parses line by line, and refuses the first line out of place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tabularium_engines.common import json_codec
from tabularium_engines.common.json_codec import Json, MalformedDocument
from tabularium_log.audit.export_format import (
    MAX_LINE_BYTES,
    WITH_RECORD,
    Header,
    Record,
    RecordLine,
    RevealLine,
    Trailer,
    TrailerLine,
    reveal_ranges,
    viewer_seat,
)
from tabularium_log.audit.replay_verifier import ChainFollower
from tabularium_log.audit.verdict import Flaw
from tabularium_log.fairness.canonical_json import NotCanonicalError, decode_canonical
from tabularium_log.fairness.committed_draws import SECRET_BYTES
from tabularium_log.fairness.signed_hash_chain import Receipt
from tabularium_log.projection.table_actions import TYPE_PREFIX, needs_second_format

HEX_DIGITS: Final = frozenset("0123456789abcdef")
END_ACTION_TYPE: Final = f"{TYPE_PREFIX}end"


@dataclass
class Export:
    """A parsed export: its lines have the required form, and its hash chain holds."""

    header: Header
    chain: ChainFollower
    entries: list[Json] = field(default_factory=list)  # the public parts
    texts: list[str] = field(default_factory=list)
    fields_by_seq: dict[str, Json] = field(default_factory=dict)  # by seq
    salts_by_seq: dict[str, Json] = field(default_factory=dict)
    reveal_line_count: int = 0
    trailer: Trailer | None = None
    is_second_format: bool = False  # by its entries
    record: Record | None = None

    @property
    def has_record_line(self) -> bool:
        """Whether the header announces a proof from the record."""
        return self.header.tabularium == WITH_RECORD

    @property
    def is_over(self) -> bool:
        """Whether the last entry ends the game."""
        action = self.entries[-1]["action"] if self.entries else None
        return isinstance(action, dict) and action.get("type") == END_ACTION_TYPE

    @property
    def creation(self) -> Json:
        """The action of entry 1."""
        action = self.entries[0]["action"]
        return action if isinstance(action, dict) else {}

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """The receipts that its server has signed."""
        return self.trailer.receipts if self.trailer else ()

    def revealed_fields(self, seq: int) -> Mapping[str, Json]:
        """The revealed sealed fields of an entry."""
        values: Mapping[str, Json] = self.fields_by_seq.get(str(seq), {})
        return values


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file; an overlong line is split after one byte more than allowed."""
    with path.open("rb") as file:
        yield from iter(lambda: file.readline(MAX_LINE_BYTES + 1), b"")


def parse_receipts(lines: Iterable[bytes]) -> list[Receipt]:
    """Receipts that a client kept, one per line; raises Flaw if a line is not a receipt."""
    receipts = []
    for number, line in enumerate(lines, start=1):
        try:
            receipts.append(json_codec.from_json(Receipt, json.loads(line)))
        except ValueError as problem:
            raise Flaw(f"The line is not a receipt: {problem}.", None, number) from problem
    return receipts


def read_export(lines: Iterable[bytes]) -> Export:
    """The export with these lines, which include their line feeds; raises Flaw."""
    export: Export | None = None
    number = 0
    for line in lines:
        number += 1
        try:
            text = _decode_line(line)
            if export is None:
                export = _start_export(text)
            else:
                _add_line(export, text)
        except Flaw as flaw:
            raise Flaw(flaw.sentence, flaw.seq, number) from flaw
    if export is None or export.trailer is None:
        raise Flaw("The file is truncated: the trailer is missing.", None, number + 1)
    if export.has_record_line and export.record is None:
        raise Flaw("The file is truncated: the proof from the record is missing.", None, number + 1)
    return export


def _decode_line(line: bytes) -> str:
    if len(line) > MAX_LINE_BYTES:
        raise Flaw(f"The line is longer than {MAX_LINE_BYTES} bytes.")
    if not line.endswith(b"\n"):
        raise Flaw("The line is truncated: it does not end with a line feed.")
    try:
        return line[:-1].decode()
    except UnicodeDecodeError as problem:
        raise Flaw("The line is not UTF-8 text.") from problem


def _start_export(text: str) -> Export:
    header: Header = _parse_part(Header, _decode_canonical(text))
    try:
        viewer_seat(header.viewer)
    except ValueError as problem:
        raise Flaw(f"{header.viewer} is not a viewer.") from problem
    return Export(header, ChainFollower(header.game))


def _add_line(export: Export, text: str) -> None:
    if export.trailer is not None:
        _add_record(export, text)
    elif text.startswith('{"reveal"'):
        _add_reveal(export, _decode_canonical(text))
    elif text.startswith('{"trailer"'):
        _add_trailer(export, _decode_canonical(text))
    elif export.reveal_line_count:
        raise Flaw("An entry follows the reveal.")
    else:
        entry = export.chain.add_text(text)
        export.entries.append(entry)
        export.texts.append(text)
        export.is_second_format |= needs_second_format(entry["action"])
        if export.chain.seq == 1:
            _compare_with_header(export)


def _compare_with_header(export: Export) -> None:
    for name in ("rules", "version", "seats", "key"):
        if export.creation.get(name) != getattr(export.header, name):
            raise Flaw(f"The header and entry 1 differ in {name}.", 1)


def _add_reveal(export: Export, document: Json) -> None:
    reveal = _parse_part(RevealLine, document).reveal
    places = reveal_ranges(len(export.entries))
    if export.reveal_line_count == len(places):
        raise Flaw("The reveal has more lines than the entries need.")
    if (reveal.salts is None) != export.is_over:
        raise Flaw("Salts are revealed while a game is running, and only then.")
    salts = {} if reveal.salts is None else reveal.salts
    for part in (reveal.fields, salts):
        _check_reveal_range(part, places[export.reveal_line_count])
    export.reveal_line_count += 1
    export.fields_by_seq.update(reveal.fields)
    export.salts_by_seq.update(salts)


def _check_reveal_range(part: Any, seq_range: range) -> None:
    if not isinstance(part, dict) or not all(
        values and isinstance(values, dict) for values in part.values()
    ):
        raise Flaw("The reveal does not map entries to fields.")
    seqs = {str(seq) for seq in seq_range}
    for seq in part:
        if seq not in seqs:
            raise Flaw(f"Entry {seq} does not belong in this line of the reveal.")


def is_hex_key(text: Any) -> bool:
    """Whether the text is 32 bytes in hex."""
    return isinstance(text, str) and len(text) == 2 * SECRET_BYTES and set(text) <= HEX_DIGITS


def _add_trailer(export: Export, document: Json) -> None:
    trailer = _parse_part(TrailerLine, document).trailer
    count = len(export.entries)
    if not count or export.reveal_line_count != len(reveal_ranges(count)):
        raise Flaw("The reveal is missing or incomplete.")
    if trailer.count != count:
        raise Flaw(f"There are {count} entries, not {trailer.count}.")
    _check_format(export)
    if trailer.head != export.chain.head:
        sentence = "The head is not the hash of the last entry: one of them was altered."
        raise Flaw(sentence, count)
    export.trailer = trailer


def _check_format(export: Export) -> None:
    if export.has_record_line and not export.is_over:
        raise Flaw("Only a game that is over has a proof from the record.")
    is_second = export.header.tabularium == "export/2"
    if not export.has_record_line and export.is_second_format != is_second:
        raise Flaw("The header does not name the format that the entries need.")


def _add_record(export: Export, text: str) -> None:
    if not export.has_record_line or export.record is not None:
        raise Flaw("Nothing may follow the trailer.")
    document = _decode_canonical(text)
    try:
        export.record = json_codec.from_json(RecordLine, document).record
    except MalformedDocument as problem:
        raise Flaw("This is not a line with a proof from the record.") from problem


def _decode_canonical(text: str) -> Json:
    try:
        return decode_canonical(text)
    except NotCanonicalError as problem:
        raise Flaw(f"The line {problem}.") from problem


def _parse_part(kind: type[Any], document: Json) -> Any:
    """The part of that kind; every field must be present, even an optional one."""
    try:
        part = json_codec.from_json(kind, document)
    except MalformedDocument as problem:
        raise Flaw(f"The line is not part of an export: {problem}.") from problem
    if json_codec.to_json(part) != document:
        raise Flaw("The line is not part of an export: a field is missing.")
    return part
