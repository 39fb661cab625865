"""Server-sent events, out of the bytes of a stream in any pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Event:
    """An event; `id` is "" if it has none."""

    id: str
    data: str


class EventReader:
    """Reads the events of one connection. An event that was cut off before its empty line is no
    event. Lines end with line feeds alone: text may hold every other separator of Unicode."""

    def __init__(self) -> None:
        self._rest = b""
        self._id = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> Iterator[Event]:
        """The events that are complete with this piece."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            yield from self._read(line.removesuffix(b"\r").decode())

    def _read(self, line: str) -> Iterator[Event]:
        """Read a line: a field, a comment, or the end of an event."""
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id":
            self._id = value
        elif name == "data":
            self._data.append(value)
        elif not line:
            if self._data:
                yield Event(self._id, "\n".join(self._data))
            self._id, self._data = "", []
