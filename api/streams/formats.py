"""In which form does a stream go out? As server-sent events, or as lines of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import orjson

from api.renderers import NdjsonRenderer, TextRenderer
from games.engines.common import codec

SSE_RETRY_MILLISECONDS: Final = 2000  # milliseconds after which a browser comes again


class ServerSentRenderer(TextRenderer):
    media_type = "text/event-stream"
    format = "sse"


class StreamItem(NamedTuple):
    """One thing that is told: its name, the id from which one may resume, and the thing itself."""

    kind: str
    id: str
    shape: Any

    @property
    def json_bytes(self) -> bytes:
        """The thing as it goes out, on one line."""
        return orjson.dumps(codec.to_json(self.shape))


class NdjsonFormat:
    """A line of JSON for each thing; an empty one shows that somebody is still there."""

    preamble: bytes = b""
    heartbeat: bytes = b"\n"

    @staticmethod
    def encode(item: StreamItem) -> bytes:
        """The thing, as it goes out."""
        return item.json_bytes + b"\n"


class ServerSentFormat(NdjsonFormat):
    """What browsers call an event for each thing; a comment shows that somebody is still there."""

    preamble = b"retry: %d\n\n" % SSE_RETRY_MILLISECONDS
    heartbeat = b": \n\n"

    @staticmethod
    def encode(item: StreamItem) -> bytes:
        """The thing, as it goes out."""
        head = f"id: {item.id}\nevent: {item.kind}\ndata: ".encode()
        return head + item.json_bytes + b"\n\n"


FORMAT_BY_MEDIA_TYPE: Final[Mapping[str, type[NdjsonFormat]]] = {
    ServerSentRenderer.media_type: ServerSentFormat,
    NdjsonRenderer.media_type: NdjsonFormat,
}
