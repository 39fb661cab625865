"""Traces for an OpenTelemetry collector, over OTLP. `TABULARIUM_TRACES=1` switches them on; the
variables of OpenTelemetry (`OTEL_…`) set the address of the collector, the share of requests, and
all else.

Spans are sent by a thread of each process. A collector that is away or hangs delays nothing: the
thread keeps the latest spans, up to a limit, and drops the others.
"""

from __future__ import annotations

import atexit
import os
from typing import TYPE_CHECKING, Final

from django.core.exceptions import ImproperlyConfigured

from games import spans
from games.spans import Attributes, Span, SpanKind

if TYPE_CHECKING:
    from opentelemetry import trace
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider

SERVICE_NAME_VARIABLE: Final = "OTEL_SERVICE_NAME"
EXPORT_SECONDS: Final = 2  # seconds for which a batch, or the end of a process, waits at most
NOT_INSTALLED: Final = (
    "TABULARIUM_TRACES is 1, but OpenTelemetry is not installed: "
    "pip install --requirement requirements/traces.txt"
)

_providers: Final[dict[int, TracerProvider]] = {}  # that of this process, by its id


def install() -> None:
    """Record the spans of this process and of those that are forked from it."""
    try:
        import opentelemetry.exporter.otlp.proto.http  # noqa: PLC0415  # an extra
        import opentelemetry.sdk.trace  # noqa: F401, PLC0415  # an extra
    except ImportError as problem:
        raise ImproperlyConfigured(NOT_INSTALLED) from problem
    os.environ.setdefault(SERVICE_NAME_VARIABLE, "tabularium")
    spans.record_with(start_span)


def provider() -> TracerProvider:
    """The provider of this process: its thread is not inherited by forks."""
    pid = os.getpid()
    if pid not in _providers:
        _providers.clear()
        _providers[pid] = _new_provider()
        atexit.register(finish)
    return _providers[pid]


def _new_provider() -> TracerProvider:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415  # an extra
        OTLPSpanExporter,
    )
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=EXPORT_SECONDS)))
    return provider


def finish() -> None:
    """Send the spans that this process has ended, if the collector takes them soon."""
    if ending := _providers.get(os.getpid()):
        ending.force_flush(1000 * EXPORT_SECONDS)


def start_span(name: str, kind: SpanKind, parent: str, link: str) -> Span:
    """Start a span under a parent, if one is given."""
    from opentelemetry import trace  # noqa: PLC0415  # an extra

    linked = trace.get_current_span(_context(link)).get_span_context()
    tracer = provider().get_tracer("tabularium")
    return RecordedSpan(
        tracer.start_span(
            name,
            context=_context(parent),
            kind=trace.SpanKind[kind.name],
            links=[trace.Link(linked)] if linked.is_valid else [],
        )
    )


def _context(traceparent: str) -> Context:
    """The context of a span of another process or thread."""
    from opentelemetry import context  # noqa: PLC0415  # an extra
    from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415
        TraceContextTextMapPropagator,
    )

    return TraceContextTextMapPropagator().extract({"traceparent": traceparent}, context.Context())


class RecordedSpan:
    """A span of OpenTelemetry."""

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    @property
    def traceparent(self) -> str:
        """Its trace and its id, as W3C Trace Context writes them."""
        context = self._span.get_span_context()
        return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"

    def end(self, attributes: Attributes, *, name: str = "", is_failure: bool = False) -> None:
        """End it now, under another name if one is given."""
        from opentelemetry.trace import StatusCode  # noqa: PLC0415  # an extra

        if name:
            self._span.update_name(name)
        self._span.set_attributes(dict(attributes))
        if is_failure:
            self._span.set_status(StatusCode.ERROR)
        self._span.end()
