"""The trace of a request: a context variable with its request id, game and account, shown in every
log line, problem and worker message that follows from the request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeAlias
from uuid import uuid4

Trace: TypeAlias = dict[str, str]

REQUEST_ID_FIELD: Final = "request_id"
GAME_FIELD: Final = "game"
ACCOUNT_FIELD: Final = "account"
TRACEPARENT_FIELD: Final = "traceparent"  # the span that all others of the work are below
REQUEST_ID_HEADERS: Final = ("Request-Id", "X-Request-Id")  # in which callers send an id
# in every log line, as far as they are known
LOGGED_FIELDS: Final = (
    REQUEST_ID_FIELD,
    GAME_FIELD,
    ACCOUNT_FIELD,
    TRACEPARENT_FIELD,
)
MAX_REQUEST_ID_LENGTH: Final = 128  # characters
REQUEST_ID_PATTERN: Final = re.compile(rf"[A-Za-z0-9._-]{{1,{MAX_REQUEST_ID_LENGTH}}}")

# Threads and tasks that work on one request get copies of a context, but share this dictionary:
# a field that one of them adds is logged by the others too.
_current_trace: Final[ContextVar[Trace | None]] = ContextVar("tabularium_trace", default=None)


def new_request_id() -> str:
    """A new request id."""
    return f"req_{uuid4().hex}"


def choose_request_id(*candidates: str | None) -> str:
    """The first valid candidate, or a new id."""
    valid_ids = (
        candidate
        for candidate in candidates
        if candidate and REQUEST_ID_PATTERN.fullmatch(candidate)
    )
    return next(valid_ids, None) or new_request_id()


def current_trace() -> Trace | None:
    """The trace of the current work."""
    return _current_trace.get()


def current_request_id() -> str:
    """The id of the current request, or a new one if there is none."""
    return (_current_trace.get() or {}).get(REQUEST_ID_FIELD) or new_request_id()


def add_to_trace(**fields: str | None) -> None:
    """Add newly known fields to the current trace, if there is one."""
    trace = _current_trace.get()
    if trace is not None:
        trace.update((name, value) for name, value in fields.items() if value)


def set_trace(trace: Trace | None) -> None:
    """Use a trace, or none, for the rest of this context."""
    _current_trace.set(trace)


@contextmanager
def use_trace(trace: Trace | None) -> Iterator[None]:
    """Use a trace, or none, within the block."""
    token = _current_trace.set(trace)
    try:
        yield
    finally:
        _current_trace.reset(token)


def logged_fields() -> Trace:
    """The fields of the trace that log lines show."""
    trace = _current_trace.get() or {}
    return {name: trace[name] for name in LOGGED_FIELDS if name in trace}
