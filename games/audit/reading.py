"""What does the file of an exported game say? Read line by line, and refused at the first line that
does not belong where it stands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from games.audit.format import (
    LONGEST_LINE,
    Header,
    RevealLine,
    Trailer,
    TrailerLine,
    seat_of,
    stretches,
)
from games.audit.replay import Links
from games.audit.verdict import Flaw
from games.engines.common import codec
from games.engines.common.codec import Json, Malformed
from games.fairness.canonical import NotCanonical, parsed
from games.fairness.receipts import Receipt
from games.table.actions import PREFIX

END: Final = f"{PREFIX}end"


@dataclass
class Export:
    """An exported game, of which so much is known: its lines have their shape, its chain holds."""

    header: Header
    links: Links
    entries: list[Json] = field(default_factory=list)  # what everybody may read
    texts: list[str] = field(default_factory=list)
    fields: dict[str, Json] = field(default_factory=dict)  # by seq
    salts: dict[str, Json] = field(default_factory=dict)
    reveals: int = 0
    trailer: Trailer | None = None

    @property
    def is_over(self) -> bool:
        """Does the log end with the end?"""
        action = self.entries[-1]["action"] if self.entries else None
        return isinstance(action, dict) and action.get("type") == END

    @property
    def create(self) -> Json:
        """The action of entry 1."""
        action = self.entries[0]["action"]
        return action if isinstance(action, dict) else {}

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """What its server has signed of it."""
        return self.trailer.receipts if self.trailer else ()

    def told(self, seq: int) -> Mapping[str, Json]:
        """The sealed fields of an entry that are told."""
        values: Mapping[str, Json] = self.fields.get(str(seq), {})
        return values


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a file; of one that is far too long only its beginning."""
    with path.open("rb") as file:
        yield from iter(lambda: file.readline(LONGEST_LINE + 1), b"")


def receipts_of(lines: Iterable[bytes]) -> list[Receipt]:
    """Receipts that somebody kept, one a line; Flaw if one is none."""
    kept = []
    for number, line in enumerate(lines, start=1):
        try:
            kept.append(codec.from_json(Receipt, json.loads(line)))
        except ValueError as problem:
            raise Flaw(f"This is no receipt: {problem}.", None, number) from problem
    return kept


def read(lines: Iterable[bytes]) -> Export:
    """The export of which these are the lines, with their line feeds; or Flaw."""
    export: Export | None = None
    number = 0
    for line in lines:
        number += 1
        try:
            text = _text(line)
            if export is None:
                export = _opened(text)
            else:
                _add(export, text)
        except Flaw as flaw:
            raise Flaw(flaw.sentence, flaw.seq, number) from flaw
    if export is None or export.trailer is None:
        raise Flaw("The file is cut off: there is no trailer.", None, number + 1)
    return export


def _text(line: bytes) -> str:
    if len(line) > LONGEST_LINE:
        raise Flaw(f"The line is longer than {LONGEST_LINE} bytes.")
    if not line.endswith(b"\n"):
        raise Flaw("The line is cut off: it does not end with a line feed.")
    try:
        return line[:-1].decode()
    except UnicodeDecodeError as problem:
        raise Flaw("The line is no text in UTF-8.") from problem


def _opened(text: str) -> Export:
    header: Header = _shaped(Header, _parsed(text))
    try:
        seat_of(header.viewer)
    except ValueError as problem:
        raise Flaw(f"{header.viewer} is no viewer.") from problem
    return Export(header, Links(header.game))


def _add(export: Export, text: str) -> None:
    if export.trailer is not None:
        raise Flaw("Nothing can follow the trailer.")
    if text.startswith('{"reveal"'):
        _add_reveal(export, _parsed(text))
    elif text.startswith('{"trailer"'):
        _add_trailer(export, _parsed(text))
    elif export.reveals:
        raise Flaw("An entry stands after the reveal.")
    else:
        export.entries.append(export.links.follow(text))
        export.texts.append(text)
        if export.links.seq == 1:
            _compare_with_header(export)


def _compare_with_header(export: Export) -> None:
    for name in ("rules", "version", "seats", "key"):
        if export.create.get(name) != getattr(export.header, name):
            raise Flaw(f"Header and entry 1 disagree on {name}.", 1)


def _add_reveal(export: Export, document: Json) -> None:
    reveal = _shaped(RevealLine, document).reveal
    places = stretches(len(export.entries))
    if export.reveals == len(places):
        raise Flaw("There are more lines of the reveal than the entries need.")
    if (reveal.salts is None) != export.is_over:
        raise Flaw("Salts are told while a game goes on, and only then.")
    salts = {} if reveal.salts is None else reveal.salts
    for part in (reveal.fields, salts):
        _check_places(part, places[export.reveals])
    export.reveals += 1
    export.fields.update(reveal.fields)
    export.salts.update(salts)


def _check_places(part: Any, stretch: range) -> None:
    if not isinstance(part, dict) or not all(
        values and isinstance(values, dict) for values in part.values()
    ):
        raise Flaw("What is told is no set of fields by entry.")
    known = {str(seq) for seq in stretch}
    for seq in part:
        if seq not in known:
            raise Flaw(f"Entry {seq} has no place in this line of the reveal.")


def _add_trailer(export: Export, document: Json) -> None:
    trailer = _shaped(TrailerLine, document).trailer
    count = len(export.entries)
    if not count or export.reveals != len(stretches(count)):
        raise Flaw("The reveal is missing, or a line of it.")
    if trailer.count != count:
        raise Flaw(f"There are {count} entries, not {trailer.count}.")
    if trailer.head != export.links.head:
        sentence = "The head is not the hash of the last entry: one of them was altered."
        raise Flaw(sentence, count)
    export.trailer = trailer


def _parsed(text: str) -> Json:
    try:
        return parsed(text)
    except NotCanonical as problem:
        raise Flaw(f"The line {problem}.") from problem


def _shaped(kind: type[Any], document: Json) -> Any:
    """The part of that kind, with every field there, also those that could be left out."""
    try:
        part = codec.from_json(kind, document)
    except Malformed as problem:
        raise Flaw(f"The line is no part of an export: {problem}.") from problem
    if codec.to_json(part) != document:
        raise Flaw("The line is no part of an export: a field is missing.")
    return part
