"""Shapes of problems, the error replies (RFC 9457)."""

from __future__ import annotations

from dataclasses import dataclass

from api.shapes.forms import Code, Link, MemberCode, Pointer, RefusalStatus, RequestId
from api.shapes.games import ChoiceView
from api.shapes.logs import EntryView
from tabularium_log.forms import Positive, Slug


@dataclass(frozen=True)
class ProblemError:
    """One error: in the body at `pointer`, or in the query's `parameter`."""

    code: MemberCode  #: A stable code, for programs.
    detail: str  #: A sentence for people, in English.
    pointer: Pointer | None = None  #: The place of the error in the body (RFC 6901).
    parameter: str | None = None  #: The query parameter of the error.


@dataclass(frozen=True)
class MissingRuleset:
    """A version of a game's rules that is not installed, and the package that brought it, if it
    ever was."""

    rules: Slug
    version: Positive  #: The version of the rules.
    package: str | None  #: The distribution that brings the rules.


@dataclass(frozen=True)
class Problem:
    """A refusal (RFC 9457). `code` is stable and meant for programs, `detail` describes this
    occurrence, `type` is the page about this kind, and `request_id` is the `Request-Id` of the
    response, which identifies the request in the server's log. An illegal action comes with the
    `rule` that forbids it, too many requests with the `limit` they exceed, a stale choice with the
    `entries` you have missed and the `choice` that is open now, and a game whose rules are not
    installed with its `ruleset`."""

    type: Link  #: The page about this kind of problem.
    title: str  #: The title, in English.
    status: RefusalStatus  #: The HTTP status.
    code: Code  #: The stable code of the problem.
    detail: str  #: A sentence for people, in English.
    request_id: RequestId  #: The `Request-Id` of the response.
    errors: tuple[ProblemError, ...] = ()  #: The errors of the request, each at its place.
    rule: Code | None = None  #: The code of the rule that forbids the action.
    limit: str | None = None  #: The name of the limit that the request exceeds.
    #: The entries that you have missed, if your choice was stale.
    entries: tuple[EntryView, ...] = ()
    choice: ChoiceView | None = None  #: The choice that is open now, if yours was stale.
    ruleset: MissingRuleset | None = None  #: The ruleset that is not installed.


@dataclass(frozen=True)
class ProblemMember:
    """A member that a kind of problem has beyond those of every problem."""

    name: str  #: Its name.
    meaning: str  #: Its meaning.


@dataclass(frozen=True)
class ProblemKind:
    """The meaning of a problem's `code`: the page to which its `type` leads."""

    code: MemberCode  #: A stable code, for programs.
    status: RefusalStatus  #: The HTTP status.
    title: str  #: The title, in English.
    meaning: str  #: Its meaning.
    remedy: str  #: Advice for the client.
    members: tuple[ProblemMember, ...]  #: Its members beyond those of every problem.
