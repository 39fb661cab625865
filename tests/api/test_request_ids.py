"""Request ids: taken from the caller, and in every reply, every problem and every log line."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from api import request_ids as entry
from api.rulesets import RulesetsEndpoint
from api.streams.database_threads import run_in_thread
from api.streams.request_handoff import (
    Application,
    Message,
    Receive,
    Scope,
    Send,
    handoff_middleware,
)
from config import logs
from config.asgi_thread_pool import ThreadPoolHandler
from games import request_trace
from tests.api.world import World

RULES = "/api/v1/rules"


class Lines(logging.Handler):
    """Collects the log records as parsed JSON lines."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logs.JsonFormatter())
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.loads(self.format(record)))

    def of(self, logger: str) -> list[dict[str, Any]]:
        """The lines of one logger."""
        return [line for line in self.lines if line["logger"] == logger]


@pytest.fixture
def log_lines() -> Iterator[Lines]:
    """The lines logged during the test, from INFO on."""
    root, lines = logging.getLogger(), Lines()
    before = root.level
    root.addHandler(lines)
    root.setLevel("INFO")
    yield lines
    root.setLevel(before)
    root.removeHandler(lines)


@pytest.fixture
def crashing_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """An endpoint that fails."""

    def crash(self: RulesetsEndpoint, request: object) -> HttpResponse:
        raise RuntimeError("a secret")

    monkeypatch.setattr(RulesetsEndpoint, "get", crash)


# -- where there is no event loop -----------------------------------------------------------------


@pytest.mark.parametrize("header", request_trace.REQUEST_ID_HEADERS)
def test_the_callers_id_is_in_the_reply(client: Client, header: str) -> None:
    assert client.get(RULES, headers={header: "night-1"})["Request-Id"] == "night-1"


def test_an_invalid_id_is_replaced(client: Client) -> None:
    assert client.get(RULES, headers={"Request-Id": "no id"})["Request-Id"].startswith("req_")


def test_two_requests_have_two_ids(client: Client) -> None:
    assert client.get(RULES)["Request-Id"] != client.get(RULES)["Request-Id"]


@pytest.mark.parametrize("path", ["/api/v1/no/such/place", "/nowhere", "/api/v1/rules?strange=1"])
def test_a_problem_tells_the_id(client: Client, path: str) -> None:
    document = client.get(path, headers={"Request-Id": "night-1"}).json()
    assert document["request_id"] == "night-1"


@pytest.mark.usefixtures("crashing_endpoint")
def test_the_log_has_the_traceback_under_the_id_that_the_problem_tells(
    client: Client, log_lines: Lines
) -> None:
    response = client.get(RULES)
    document = response.json()
    assert document["code"] == "internal-error"
    assert document["request_id"] == response["Request-Id"]
    assert response["Request-Id"] in document["detail"]
    (line,) = [
        line for line in log_lines.lines if "RuntimeError: a secret" in line.get("traceback", "")
    ]
    assert line["request_id"] == response["Request-Id"]


def test_a_line_names_game_and_account(
    world: World, log_lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = world.playing()

    def tell(*_: object) -> None:
        logging.getLogger("view").warning("It is looked at.")

    monkeypatch.setattr("api.games.read_endpoints.visible_game", tell)
    world.as_ada.get(f"/api/v1/games/{game}")
    line = log_lines.of("view")[0]
    assert (line["game"], line["account"]) == (game, world.ada.pk)


# -- on the event loop ----------------------------------------------------------------------------


class Exchange:
    """A request to an ASGI application, and the messages of its reply."""

    def __init__(self, path: str = RULES, **headers: str) -> None:
        self.messages: list[Message] = []
        pairs = {"host": "localhost", **headers}.items()
        self.scope: Scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": b"",
            "client": ("192.0.2.1", 4711),
            "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in pairs],
        }

    async def receive(self) -> Message:
        """An empty body."""
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(self, message: Message) -> None:
        """Keep the message."""
        self.messages.append(message)

    def run(self, application: Application) -> Exchange:
        """Let the application answer."""
        traced_application = entry.tracing_middleware(application)

        async def call_application() -> None:
            await traced_application(self.scope, self.receive, self.send)

        asyncio.run(call_application())
        return self

    @property
    def headers(self) -> dict[bytes, bytes]:
        """The headers of the reply."""
        return dict(self.messages[0]["headers"])

    @property
    def body(self) -> bytes:
        """The whole body of the reply."""
        return b"".join(message.get("body", b"") for message in self.messages)


def server() -> Application:
    """The request handling of the web server."""
    return handoff_middleware(ThreadPoolHandler(1))


def test_a_line_tells_how_a_request_was_answered(log_lines: Lines) -> None:
    exchange = Exchange(
        RULES + "/law/text", request_id="night-1", authorization="Bearer secret"
    ).run(server())
    (line,) = log_lines.of("tabularium.access")
    assert line["request_id"] == "night-1" == exchange.headers[b"request-id"].decode()
    assert (line["method"], line["route"]) == ("GET", "rules-text")
    assert line["status"] == exchange.messages[0]["status"]
    assert line["bytes"] == len(exchange.body)
    assert line["ms"] >= 0
    assert re.fullmatch(r"client_[0-9a-f]{12}", line["client"])
    assert "192.0.2.1" not in json.dumps(log_lines.lines)
    assert "secret" not in json.dumps(log_lines.lines)


def test_what_strangers_make_up_is_in_no_line(log_lines: Lines) -> None:
    Exchange("/api/v1/made-up").run(server())
    (line,) = log_lines.of("tabularium.access")
    assert (line["route"], line["status"]) == ("other", 404)
    assert "made-up" not in json.dumps(line)


@pytest.mark.usefixtures("crashing_endpoint")
def test_a_view_that_fails_in_a_thread_is_logged_under_the_id(log_lines: Lines) -> None:
    exchange = Exchange(request_id="night-1").run(server())
    assert json.loads(exchange.body)["request_id"] == "night-1"
    traced = [line for line in log_lines.lines if "traceback" in line]
    assert [line["request_id"] for line in traced] == ["night-1"]
    (line,) = log_lines.of("tabularium.access")
    assert line["status"] == 500


def test_where_nothing_else_answers_a_failure_is_a_problem(log_lines: Lines) -> None:
    async def failing_application(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError("a secret")

    exchange = Exchange(request_id="night-1").run(failing_application)
    document = json.loads(exchange.body)
    assert (document["code"], document["request_id"]) == ("internal-error", "night-1")
    assert exchange.headers[b"request-id"] == b"night-1"
    assert exchange.headers[b"content-length"] == str(len(exchange.body)).encode()
    (line,) = log_lines.of("api.request_ids")
    assert (line["request_id"], "a secret" in line["traceback"]) == ("night-1", True)


def test_a_reply_that_breaks_off_is_left_to_the_server(log_lines: Lines) -> None:
    async def failing_application(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("a secret")

    exchange = Exchange()
    with pytest.raises(RuntimeError):
        exchange.run(failing_application)
    assert [message["type"] for message in exchange.messages] == ["http.response.start"]
    assert exchange.headers[b"request-id"].startswith(b"req_")


def test_the_threads_of_streams_know_the_request(log_lines: Lines) -> None:
    async def streaming(scope: Scope, receive: Receive, send: Send) -> None:
        await run_in_thread(logging.getLogger("stream").warning, "It cannot read.")

    Exchange(request_id="night-1").run(streaming)
    assert [line["request_id"] for line in log_lines.of("stream")] == ["night-1"]
