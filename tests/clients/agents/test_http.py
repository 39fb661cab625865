"""The MCP server over HTTP: both kinds of protocol, subscriptions, hosts and origins."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from mcp import Client, MCPError
from mcp.shared.subscriptions import ResourceUpdated

from bench.ports import free_port
from tabularium_client.mcp_server import command
from tests.clients.agents.agent import agent_of
from tests.clients.agents.test_live import INITIALIZE, ME, OPEN, RULES, SOURCES
from tests.config.processes import soon
from tests.support import warm_interpreter
from tests.support.databases import is_on_server
from tests.support.served import Served

pytestmark = [
    pytest.mark.lane("clients"),
    pytest.mark.skipif(is_on_server(), reason="a client sees nothing of the store"),
]
ALLOWED: Final = "games.example"


@pytest.fixture(scope="module")
def http_port(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of an MCP server over HTTP."""
    port, keys = free_port(), tmp_path_factory.mktemp("http") / "keys.json"
    words = ["--http", "--port", str(port), "--allow-host", ALLOWED, "--server", served.url]
    process = warm_interpreter.Popen(
        [sys.executable, "-m", "tabularium_client.mcp_server", *words, "--key-file", str(keys)],
        env={**os.environ, "PYTHONPATH": SOURCES},
        stdout=subprocess.PIPE,
    )
    assert soon(lambda: is_open("127.0.0.1", port))
    yield port
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert output == f"For agents: http://127.0.0.1:{port}/mcp (stop with Ctrl-C)\n".encode()
    assert process.returncode == 0


def is_open(address: str, port: int) -> bool:
    """Whether there is a listener."""
    with socket.socket() as probe:
        return probe.connect_ex((address, port)) == 0


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_whole_game_over_http(http_port: int, mode: str) -> None:
    """With a handshake, and without, as the protocol of 2026-07-28 has it."""

    async def play() -> Any:
        async with agent_of(f"http://127.0.0.1:{http_port}/mcp", mode=mode) as agent:
            game = (await agent.create_short(RULES))["game"]
            end = await agent.play(game)
            return end, await agent.call("verify_game", game=game)

    end, verdict = asyncio.run(play())
    assert end["result"]["winners"]
    assert verdict["is_good"]


def test_a_host_that_subscribes_hears_of_each_event(http_port: int) -> None:
    async def listen() -> Any:
        url = f"http://127.0.0.1:{http_port}/mcp"
        async with Client(url, mode="2026-07-28") as client, agent_of(url) as agent:
            created = await agent.call("create_game", rules=RULES, seats=[ME, OPEN])
            uri = f"tabularium://games/{created['game']}"
            (listed, *_), heard = (await client.list_resources()).resources, []
            async with client.listen(resource_subscriptions=[uri]) as events:
                await agent.call("start_game", game=created["game"])
                heard.append(await anext(aiter(events)))
                turn = await client.read_resource(uri)
                await agent.call("resign", game=created["game"], seat=0)
                heard.append(await anext(aiter(events)))
                return uri, listed, heard, turn, await client.read_resource(uri)

    uri, _, heard, turn, over = asyncio.run(listen())
    assert heard == [ResourceUpdated(uri), ResourceUpdated(uri)]
    assert json.loads(turn.contents[0].text)["your_turn"]
    assert json.loads(over.contents[0].text)["game_over"]


def test_a_resource_that_is_no_game(http_port: int) -> None:
    async def read() -> None:
        async with Client(f"http://127.0.0.1:{http_port}/mcp") as client:
            (template,) = (await client.list_resource_templates()).resource_templates
            with pytest.raises(MCPError, match="There is no game"):
                await client.read_resource(template.uri_template.format(game="game_1"))

    asyncio.run(read())


def test_it_listens_on_loopback_alone(http_port: int) -> None:
    assert is_open("127.0.0.1", http_port)
    assert not is_open("127.0.0.2", http_port)  # which is open if it listens on all addresses


def test_any_other_address_needs_its_names(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--http", "--host", "0.0.0.0"])
    assert "--allow-host" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["{", "[]"])
def test_a_file_that_has_no_keys(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "keys.json"
    path.write_text(text)
    with pytest.raises(SystemExit):
        command.main(["--key-file", str(path)])
    assert f"{path} cannot be read" in capsys.readouterr().err


MISDIRECTED, FORBIDDEN = 421, 403


def status(port: int, method: str = "POST", **headers: str) -> int:
    """The status of the reply to a request with these headers."""
    accepted = {"Accept": "application/json, text/event-stream"}
    body = INITIALIZE if method == "POST" else None
    url = f"http://127.0.0.1:{port}/mcp"
    with httpx.Client() as client:
        return client.request(method, url, headers=accepted | headers, json=body).status_code


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", ALLOWED])
def test_these_hosts_are_accepted(http_port: int, host: str) -> None:
    assert status(http_port, Host=host.format(port=http_port)) == httpx.codes.OK


@pytest.mark.parametrize("host", ["evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost"])
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_other_hosts_are_refused(http_port: int, method: str, host: str) -> None:
    """A name that was made to lead here does not become that of this machine."""
    assert status(http_port, method, Host=host.format(port=http_port)) == MISDIRECTED


@pytest.mark.parametrize("origin", ["http://127.0.0.1:{port}", f"https://{ALLOWED}"])
def test_these_origins_are_accepted(http_port: int, origin: str) -> None:
    assert status(http_port, Origin=origin.format(port=http_port)) == httpx.codes.OK


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:{port}"]
)
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_other_origins_are_refused(http_port: int, method: str, origin: str) -> None:
    assert status(http_port, method, Origin=origin.format(port=http_port)) == FORBIDDEN
