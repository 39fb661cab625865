"""docs/webhooks.md is accurate: its receiver is started, and every curl in it is sent."""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from pytest_django import Settings

from api import tasks
from api.keys import ALL_SCOPES, create_key
from api.webhooks import delivery_attempts, webhook_dispatch
from bench.ports import free_port
from games.models import Account
from tests.support import warm_interpreter

pytestmark = pytest.mark.lane("guides")

PAGE = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text(encoding="utf-8")
CURLS = re.findall(r"^curl .*", PAGE, re.MULTILINE)
(RECEIVER,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
Curl = Callable[..., tuple[int, Any]]


@pytest.fixture
def curl(live_server: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Curl:
    """Send a curl of the page with these variables filled in; the status, and the document."""
    settings.WEBHOOK_HOSTS = ["127.0.0.1"]
    monkeypatch.setattr(webhook_dispatch.outbox, "enqueue", lambda message: None)

    def send(line: str, **names: str) -> tuple[int, Any]:
        for name, value in (names | {"TABULARIUM": live_server.url}).items():
            line = line.replace(f"${name}", value)
        assert "$" not in line
        command = [*shlex.split(line), "-w", "\n%{http_code}"]
        output = warm_interpreter.run(command, capture_output=True, check=True, text=True).stdout
        body, _, status = output.rpartition("\n")
        return int(status), json.loads(body) if body else None

    return send


class Example:
    """The receiver on the page."""

    def __init__(self) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """The URL where it will listen."""
        return f"http://127.0.0.1:{self.port}/"

    def start(self, secret: str) -> None:
        """Start it, and wait until it listens."""
        environment = {**os.environ, "SECRET": secret, "PORT": str(self.port)}
        self.process = warm_interpreter.Popen(
            [sys.executable, "-c", RECEIVER], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(200):
            with socket.socket() as probe:
                probe.settimeout(0.1)
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            Event().wait(0.05)
        raise TimeoutError("the receiver of the page does not listen")

    def line(self) -> str:
        """The next line that it prints."""
        assert self.process is not None
        assert self.process.stdout is not None
        return self.process.stdout.readline()


@pytest.fixture
def example() -> Iterator[Example]:
    """The receiver, not yet started."""
    receiver = Example()
    yield receiver
    if receiver.process:
        receiver.process.kill()
        receiver.process.communicate()


def test_the_page_from_its_beginning_to_its_end(curl: Curl, example: Example) -> None:
    _, key = create_key(Account.objects.create(), "", ALL_SCOPES, None)
    create, ping, deliveries, rotate, redeliver, off, on, delete = CURLS

    status, document = curl(create.replace("https://example.org/tabularium", example.url), KEY=key)
    assert status == 201
    names = {"KEY": key, "WEBHOOK": document["webhook"]["id"]}
    example.start(document["secret"])

    status, delivery = curl(ping, **names)
    assert status == 202
    tasks.deliver(delivery["id"])
    assert example.line() == f"{delivery['id']} ping {delivery_body(delivery)}\n"
    assert curl(deliveries, **names)[1]["items"][0]["status"] == 204

    assert curl(rotate, **names)[0] == 201
    assert curl(redeliver, **names, DELIVERY=delivery["id"])[0] == 202
    tasks.deliver(delivery["id"])  # signed with both secrets now
    assert example.line().startswith(delivery["id"])

    assert curl(off, **names)[1]["is_enabled"] is False
    assert curl(on, **names)[1]["is_enabled"] is True
    assert curl(delete, **names)[0] == 204


def delivery_body(one: dict[str, Any]) -> Any:
    """The parsed body of a delivery."""
    return json.loads(one["body"])["data"]


def test_the_receiver_believes_nobody_else(curl: Curl, example: Example) -> None:
    _, key = create_key(Account.objects.create(), "", ALL_SCOPES, None)
    document = curl(CURLS[0].replace("https://example.org/tabularium", example.url), KEY=key)[1]
    example.start("whsec_c29tZWJvZHkgZWxzZQ==")
    names = {"KEY": key, "WEBHOOK": document["webhook"]["id"]}
    tasks.deliver(curl(CURLS[1], **names)[1]["id"])
    (delivery,) = curl(CURLS[2], **names)[1]["items"]
    assert (delivery["status"], delivery["error"]) == (401, "")


def test_the_pauses_are_those_of_the_page() -> None:
    sentence = "5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours"
    assert sentence in " ".join(PAGE.split())
    minute, hour = 60, 3600
    expected = [5, 5 * minute, 30 * minute, *(hours * hour for hours in (2, 5, 10, 14, 20, 24))]
    assert [pause.total_seconds() for pause in delivery_attempts.RETRY_PAUSES] == expected
