"""Refusals (RFC 9457)."""

from __future__ import annotations

from dataclasses import dataclass

from api.shapes.games import ChoiceView
from api.shapes.logs import EntryView


@dataclass(frozen=True)
class ProblemError:
    """One thing that is wrong: in the body at `pointer`, or with the query's `parameter`."""

    code: str
    detail: str
    pointer: str | None = None
    parameter: str | None = None


@dataclass(frozen=True)
class Problem:
    """A refusal (RFC 9457). `code` is stable and for programs, `detail` a sentence about this
    occurrence, `type` the page that explains this kind, and `request_id` the `Request-Id` of the
    response, by which the server's log tells of it. An illegal action comes with the `rule` that
    forbids it, too many requests with the `limit` they exceed, a stale choice with the `entries`
    you have missed and the `choice` that is open now."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    request_id: str
    errors: tuple[ProblemError, ...] = ()
    rule: str | None = None
    limit: str | None = None
    entries: tuple[EntryView, ...] = ()
    choice: ChoiceView | None = None
