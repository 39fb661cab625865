"""The formats of streams: server-sent events and NDJSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import orjson

from api.renderers import NdjsonRenderer, TextRenderer

SSE_RETRY_MILLISECONDS: Final = 2000  # milliseconds after which a browser reconnects


class ServerSentRenderer(TextRenderer):
    media_type = "text/event-stream"
    format = "sse"


class StreamItem(NamedTuple):
    """One item of a stream: its kind, the id from which a client may resume, and its data."""

    kind: str
    id: str
    shape: Any

    @property
    def json_bytes(self) -> bytes:
        """The data as one line of JSON."""
        return orjson.dumps(self.shape)


class NdjsonFormat:
    """One line of JSON per item; an empty line is the heartbeat."""

    preamble: bytes = b""
    heartbeat: bytes = b"\n"

    @staticmethod
    def encode(item: StreamItem) -> bytes:
        """The item as a line of JSON."""
        return item.json_bytes + b"\n"


class ServerSentFormat(NdjsonFormat):
    """One server-sent event per item; a comment is the heartbeat."""

    preamble = b"retry: %d\n\n" % SSE_RETRY_MILLISECONDS
    heartbeat = b": \n\n"

    @staticmethod
    def encode(item: StreamItem) -> bytes:
        """The item as an event."""
        line = f"id: {item.id}\n" if item.id else ""  # without one, a client begins anew
        head = f"{line}event: {item.kind}\ndata: ".encode()
        return head + item.json_bytes + b"\n\n"


FORMAT_BY_MEDIA_TYPE: Final[Mapping[str, type[NdjsonFormat]]] = {
    ServerSentRenderer.media_type: ServerSentFormat,
    NdjsonRenderer.media_type: NdjsonFormat,
}
