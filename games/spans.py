"""Spans: the timed steps of a request, from the web server through the broker to a bot's entry, as
OpenTelemetry knows them. None is recorded until a recorder is set (`config.telemetry`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from typing import Final, Protocol, TypeAlias

from games import request_trace
from games.request_trace import TRACEPARENT_FIELD, Trace

Attributes: TypeAlias = Mapping[str, str | int | float]


class SpanKind(Enum):
    """The side of a message that a span is on, if any."""

    SERVER = "server"  # of a request
    CONSUMER = "consumer"  # of a message of the broker
    INTERNAL = "internal"


class Span(Protocol):
    """A span that is being recorded. One that is never ended is never sent."""

    @property
    def traceparent(self) -> str:
        """Its trace and its id, as W3C Trace Context writes them."""

    def end(self, attributes: Attributes, *, name: str = "", is_failure: bool = False) -> None:
        """End it now, under another name if one is given."""


# starts a span with this name and kind, under a parent and with a link, both given as traceparent
StartSpan: TypeAlias = Callable[[str, SpanKind, str, str], Span]


class _Recorder:
    start: StartSpan | None = None  # None: no span is recorded


recorder: Final = _Recorder()


def record_with(start: StartSpan | None) -> None:
    """Record the spans of this process from now on, or (None) no more."""
    recorder.start = start


def start_root(trace: Trace, name: str, kind: SpanKind, link: str = "") -> Span | None:
    """Start the first span of a trace in this process, the parent of all that follow: a child of
    the span that sent it here, if there is one. None if nothing is recorded."""
    if recorder.start is None:
        return None
    span = recorder.start(name, kind, trace.get(TRACEPARENT_FIELD, ""), link)
    trace[TRACEPARENT_FIELD] = span.traceparent
    return span


def start_step(trace: Trace, name: str) -> Span | None:
    """Start a span below the first one of a trace; None if nothing is recorded."""
    if recorder.start is None:
        return None
    return recorder.start(name, SpanKind.INTERNAL, trace.get(TRACEPARENT_FIELD, ""), "")


@contextmanager
def step(name: str, attributes: Attributes) -> Iterator[None]:
    """Record the block as a step of the current trace."""
    span = start_step(request_trace.current_trace() or {}, name)
    is_failure = True
    try:
        yield
        is_failure = False
    finally:
        if span is not None:
            span.end(attributes, is_failure=is_failure)
