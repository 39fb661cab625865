"""Traces: a server sends its spans to a collector, from a request through the broker to a bot's
entry; a collector that hangs delays nothing."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from ai.bot_dispatch import THINK_TASK_NAME
from api.games import quick_actions
from config import telemetry
from games import spans
from games.spans import SpanKind
from tests.config.processes import soon
from tests.support.databases import ROOT, Kept
from tests.support.served import Served, serving

CALLER: Final = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
ACTION: Final = f"POST {quick_actions.ROUTE}"
SEATS: Final = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]


class Collector(ThreadingHTTPServer):
    """A collector that keeps all spans."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiver)
        self.spans: list[Span] = []
        self.services: set[str] = set()
        self.lock = Lock()

    def add(self, body: bytes) -> None:
        """Keep the spans of a batch."""
        with self.lock:
            for sent in ExportTraceServiceRequest.FromString(body).resource_spans:
                facts = {each.key: each.value.string_value for each in sent.resource.attributes}
                self.services.add(facts["service.name"])
                for scope in sent.scope_spans:
                    self.spans.extend(scope.spans)

    def named(self, name: str) -> list[Span]:
        """The spans with this name."""
        with self.lock:
            return [span for span in self.spans if span.name == name]

    def below(self, parent: Span, name: str) -> list[Span]:
        """The children of a span that have this name."""
        return [
            span
            for span in self.named(name)
            if (span.trace_id, span.parent_span_id) == (parent.trace_id, parent.span_id)
        ]


class Receiver(BaseHTTPRequestHandler):
    """Takes a batch."""

    server: Collector

    def do_POST(self) -> None:
        self.server.add(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Stay silent."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    """A running collector."""
    with Collector() as collector:
        thread = Thread(target=collector.serve_forever)
        thread.start()
        yield collector
        collector.shutdown()
        thread.join()


@contextmanager
def traced(template: Kept, folder: Path, port: int, **more: str) -> Iterator[Served]:
    """A server that sends its spans to this port, at once."""
    with serving(
        template,
        folder,
        TABULARIUM_TRACES="1",
        OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{port}",
        OTEL_BSP_SCHEDULE_DELAY="50",
        **more,
    ) as served:
        yield served


def facts_of(span: Span) -> dict[str, str | int]:
    """The attributes of a span."""
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}


def act(served: Served, caller: str = "") -> str:
    """Begin a game against a bot and act once, so that the bot has to; the id of the game."""
    key = served.post("/guests", {})["secret"]
    game = served.post("/games", {"rules": "duality", "seats": SEATS}, key)["id"]
    assert soon(lambda: served.ask(f"/games/{game}", key)["choice"])
    choice = served.ask(f"/games/{game}", key)["choice"]
    body = {"seat": 0, "choice": choice["token"], "action": choice["offers"][0]["action"]}
    served.post(f"/games/{game}/actions", body, key, {"traceparent": caller})
    return str(game)


@pytest.mark.lane("processes")
@pytest.mark.parametrize("quick", ["1", "0"])
def test_a_trace_leads_from_a_request_to_the_entry_of_the_bot(
    kept_template: Kept, tmp_path: Path, collector: Collector, quick: str
) -> None:
    variables = {"TABULARIUM_QUICK_ACTIONS": quick}
    with traced(kept_template, tmp_path, collector.server_port, **variables) as served:
        game = act(served, CALLER)
        assert soon(lambda: collector.named(ACTION))
        (request,) = collector.named(ACTION)
        assert soon(lambda: collector.below(request, THINK_TASK_NAME))
        (task,) = collector.below(request, THINK_TASK_NAME)
        assert soon(lambda: collector.below(task, "append"))
        assert soon(lambda: collector.below(request, "append"))
    (own_append,) = collector.below(request, "append")
    bot_append = collector.below(task, "append")[0]
    assert facts_of(own_append) == {"tabularium.game": game, "tabularium.entries": 1}
    assert facts_of(bot_append)["tabularium.game"] == game
    assert facts_of(request)["http.response.status_code"] == 201
    assert facts_of(request)["tabularium.game"] == game
    assert (request.kind, task.kind) == (Span.SPAN_KIND_SERVER, Span.SPAN_KIND_CONSUMER)
    assert collector.services == {"tabularium"}
    # the caller decides nothing: its span is linked
    assert not request.parent_span_id
    assert [link.trace_id.hex() for link in request.links] == [CALLER[3:35]]


@pytest.mark.lane("processes")
def test_a_collector_that_hangs_delays_nothing(kept_template: Kept, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections, and never answers
        with traced(kept_template, tmp_path, silent.getsockname()[1]) as served:
            for _ in range(3):
                act(served)
        silent.settimeout(0)
        silent.accept()[0].close()  # spans were sent to it


def test_without_the_packages_the_server_names_them(tmp_path: Path) -> None:
    (tmp_path / "opentelemetry.py").write_text("raise ImportError")
    environment = {"TABULARIUM_TRACES": "1", "TABULARIUM_DATA": str(tmp_path / "kept")}
    ended = subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=ROOT,
        env={**environment, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode
    assert telemetry.NOT_INSTALLED in ended.stderr


class RecordedStep:
    """A span that notes how it ends."""

    traceparent = CALLER

    def __init__(self, name: str, kind: SpanKind, parent: str, link: str) -> None:
        self.start = name, kind, parent, link
        self.ends: list[tuple[dict[str, Any], bool]] = []

    def end(
        self, attributes: spans.Attributes, *, name: str = "", is_failure: bool = False
    ) -> None:
        self.ends.append((dict(attributes), is_failure))


class TestAStep:
    @pytest.fixture
    def recorded(self) -> Iterator[list[RecordedStep]]:
        """All spans."""
        recorded: list[RecordedStep] = []

        def start(*arguments: Any) -> RecordedStep:
            recorded.append(RecordedStep(*arguments))
            return recorded[-1]

        spans.record_with(start)
        yield recorded
        spans.record_with(None)

    def test_that_fails_says_so(self, recorded: list[RecordedStep]) -> None:
        with pytest.raises(ValueError, match="no"), spans.step("append", {"entries": 1}):
            raise ValueError("no")
        with spans.step("append", {"entries": 2}):
            pass
        assert [step.ends for step in recorded] == [
            [({"entries": 1}, True)],
            [({"entries": 2}, False)],
        ]

    def test_is_not_recorded_by_default(self) -> None:
        assert spans.recorder.start is None
        trace: dict[str, str] = {}
        assert spans.start_root(trace, "POST", SpanKind.SERVER) is None
        assert spans.start_step(trace, "append") is None
        assert trace == {}
