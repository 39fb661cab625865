"""In which form does a stream go out? As server-sent events, or as lines of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import orjson

from api.renderers import LinesRenderer, TextRenderer
from games.engines.common import codec

RETRY: Final = 2000  # milliseconds after which a browser comes again


class ServerSentRenderer(TextRenderer):
    media_type = "text/event-stream"
    format = "sse"


class Item(NamedTuple):
    """One thing that is told: its name, the id from which one may resume, and the thing itself."""

    kind: str
    id: str
    shape: Any

    @property
    def json(self) -> bytes:
        """The thing as it goes out, on one line."""
        return orjson.dumps(codec.to_json(self.shape))


class Lines:
    """A line of JSON for each thing; an empty one shows that somebody is still there."""

    first: bytes = b""
    beat: bytes = b"\n"

    @staticmethod
    def written(item: Item) -> bytes:
        """The thing, as it goes out."""
        return item.json + b"\n"


class ServerSent(Lines):
    """What browsers call an event for each thing; a comment shows that somebody is still there."""

    first = b"retry: %d\n\n" % RETRY
    beat = b": \n\n"

    @staticmethod
    def written(item: Item) -> bytes:
        """The thing, as it goes out."""
        head = f"id: {item.id}\nevent: {item.kind}\ndata: ".encode()
        return head + item.json + b"\n\n"


FORMATS: Final[Mapping[str, type[Lines]]] = {
    ServerSentRenderer.media_type: ServerSent,
    LinesRenderer.media_type: Lines,
}
