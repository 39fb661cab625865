"""Calls of the API, before they are sent: without connections, for both clients."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal
from urllib.parse import quote

from tabularium_client.problems import TabulariumError

BASE: Final = "/api/v1"
ACCEPTED: Final = {
    "json": "application/json",
    "lines": "application/x-ndjson",
    "nothing": "application/json",
}  # by the form of the reply; other replies have one media type each


class BrokenReply(TabulariumError):
    """A reply was cut short, or does not come from the API."""


def segment(value: object) -> str:
    """A value as one segment of a path."""
    return quote(str(value), safe="")


@dataclass(frozen=True)
class Call:
    """A request, whether it may be repeated, and how its reply is read."""

    method: str
    path: str
    query: Mapping[str, object] = field(default_factory=dict)
    body: Mapping[str, object] | None = None
    lines: bytes | None = None
    access: Literal["key", "optional", "none"] = "none"
    repeat: Literal["safe", "keyed", "never"] = "safe"
    reply: Literal["json", "text", "bytes", "lines", "nothing"] = "json"
    wait: float | None = None
    idempotency_key: str | None = None

    @property
    def is_repeatable(self) -> bool:
        """Whether sending it again is safe, even if it has been done."""
        return self.repeat != "never"

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the query."""
        values = {name: value for name, value in self.query.items() if value is not None}
        return {
            name: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in values.items()
        }

    @property
    def content(self) -> bytes | None:
        """The bytes of the body."""
        return self.lines if self.body is None else json.dumps(self.body).encode()

    def headers(self, key: str | None, idempotency_key: str) -> dict[str, str]:
        """The headers. A call that has no key of its own takes `idempotency_key`."""
        headers = {"Accept": ACCEPTED.get(self.reply, "*/*")}
        if self.body is not None or self.lines is not None:
            headers["Content-Type"] = ACCEPTED["json" if self.lines is None else "lines"]
        if key is not None and self.access != "none":
            headers["Authorization"] = f"Bearer {key}"
        if self.repeat == "keyed":
            headers["Idempotency-Key"] = f'"{self.idempotency_key or idempotency_key}"'
        if self.wait is not None:
            headers["Prefer"] = f"wait={max(int(self.wait), 0)}"
        return headers

    def read(self, content: bytes) -> Any:
        """The document of a reply."""
        try:
            match self.reply:
                case "json":
                    return json.loads(content)
                case "lines":
                    return [json.loads(line) for line in content.split(b"\n") if line]
                case "text":
                    return content.decode()
                case "bytes":
                    return content
        except ValueError as broken:
            raise BrokenReply(f"{self.method} {self.path}: {broken}") from broken
        return None


def stream_headers(call: Call, key: str | None, last: str | None) -> dict[str, str]:
    """The headers of a stream that goes on after the event with this id."""
    headers = {**call.headers(key, ""), "Accept": "text/event-stream"}
    return headers if last is None else {**headers, "Last-Event-ID": last}
