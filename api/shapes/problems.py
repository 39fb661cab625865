"""Shapes of problems, the error replies (RFC 9457)."""

from __future__ import annotations

from dataclasses import dataclass

from api.shapes.games import ChoiceView
from api.shapes.logs import EntryView


@dataclass(frozen=True)
class ProblemError:
    """One error: in the body at `pointer`, or in the query's `parameter`."""

    code: str
    detail: str
    pointer: str | None = None
    parameter: str | None = None


@dataclass(frozen=True)
class MissingRuleset:
    """A version of a game's rules that is not installed, and the package that brought it, if it
    ever was."""

    rules: str
    version: int
    package: str | None


@dataclass(frozen=True)
class Problem:
    """A refusal (RFC 9457). `code` is stable and meant for programs, `detail` describes this
    occurrence, `type` is the page about this kind, and `request_id` is the `Request-Id` of the
    response, which identifies the request in the server's log. An illegal action comes with the
    `rule` that forbids it, too many requests with the `limit` they exceed, a stale choice with the
    `entries` you have missed and the `choice` that is open now, and a game whose rules are not
    installed with its `ruleset`."""

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
    ruleset: MissingRuleset | None = None


@dataclass(frozen=True)
class ProblemMember:
    """A member that a kind of problem has beyond those of every problem."""

    name: str
    meaning: str


@dataclass(frozen=True)
class ProblemKind:
    """The meaning of a problem's `code`: the page to which its `type` leads."""

    code: str
    status: int
    title: str
    meaning: str
    remedy: str
    members: tuple[ProblemMember, ...]
