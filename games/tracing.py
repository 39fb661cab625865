"""The trace of a request: its id, and the game and the account it concerns. It is in every log
line, every problem and every message to a worker that follows from the request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeAlias
from uuid import uuid4

Trace: TypeAlias = dict[str, str]

REQUEST: Final = "request_id"
GAME: Final = "game"
ACCOUNT: Final = "account"
HEADERS: Final = ("Request-Id", "X-Request-Id")  # in which callers give an id
SHOWN: Final = (REQUEST, GAME, ACCOUNT)  # in every log line, as far as they are known
LONGEST: Final = 128  # characters of an id that a caller gives
VALID: Final = re.compile(rf"[A-Za-z0-9._-]{{1,{LONGEST}}}")

# Threads and tasks that work on one request get copies of a context, but share this dictionary:
# what one of them finds out, the others tell too.
_current: Final[ContextVar[Trace | None]] = ContextVar("tabularium_trace", default=None)


def fresh_request_id() -> str:
    """A new request id."""
    return f"req_{uuid4().hex}"


def request_id_of(*given: str | None) -> str:
    """The first valid id that the caller gave, or a new one."""
    valid = (one for one in given if one and VALID.fullmatch(one))
    return next(valid, None) or fresh_request_id()


def current() -> Trace | None:
    """The trace of the work at hand."""
    return _current.get()


def request_id() -> str:
    """The id of the request at hand, or of a new one where there is none."""
    return (_current.get() or {}).get(REQUEST) or fresh_request_id()


def note(**facts: str | None) -> None:
    """Add what has been found out to the current trace, if there is one."""
    trace = _current.get()
    if trace is not None:
        trace.update((name, fact) for name, fact in facts.items() if fact)


def follow(trace: Trace | None) -> None:
    """Let the rest of this context belong to a trace, or to none."""
    _current.set(trace)


@contextmanager
def following(trace: Trace | None) -> Iterator[None]:
    """Let what is done meanwhile belong to a trace, or to none."""
    token = _current.set(trace)
    try:
        yield
    finally:
        _current.reset(token)


def shown() -> Trace:
    """What a log line tells of the trace."""
    trace = _current.get() or {}
    return {name: trace[name] for name in SHOWN if name in trace}
