"""docs/agents.md is accurate: each host's settings start a server, the calls shown have the replies
shown, and the tables have all tools and options."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from mcp import StdioServerParameters

from bench.ports import free_port
from tabularium_client.mcp_server import command
from tabularium_client.mcp_server.replies import NAME_LENGTH
from tabularium_client.mcp_server.tools import BY_NAME
from tests.clients.agents.agent import Agent, agent_of, agent_within
from tests.config.processes import soon
from tests.docs.pages import Block, blocks, difference
from tests.docs.verifier import DOCS
from tests.support import warm_interpreter
from tests.support.databases import ROOT
from tests.support.served import Served

pytestmark = pytest.mark.lane("guides")

PAGE: Final = DOCS / "agents.md"
BLOCKS: Final = {block.note: block for block in blocks(PAGE)}
CHECKOUTS: Final = ("/path/to/tabularium", "${workspaceFolder}")
KNOWN: Final = ("game", "choice")  # of a reply, for the calls after it
PYTHON: Final = ".venv/bin/python"


def words_of(settings: Any) -> list[str]:
    """The command that a host starts, on this machine."""
    words = [settings["command"], *settings["args"]]
    for checkout in CHECKOUTS:
        words = [word.replace(checkout, str(ROOT)) for word in words]
    assert words[0] == f"{ROOT}/{PYTHON}"
    return [sys.executable, *words[1:]]


@pytest.mark.parametrize(
    ("note", "servers"),
    [("settings of Claude Desktop", "mcpServers"), ("settings of VS Code", "servers")],
)
def test_a_host_starts_the_server(note: str, servers: str, served: Served, tmp_path: Path) -> None:
    (settings,) = json.loads(BLOCKS[note].text)[servers].values()
    assert settings.keys() - {"type"} == {"command", "args"}
    assert settings.get("type", "stdio") == "stdio"
    executable, *words = words_of(settings)
    environment = {
        "TABULARIUM_SERVER": served.url,
        "TABULARIUM_KEY_FILE": str(tmp_path / "keys.json"),
        "TABULARIUM_DATA": str(tmp_path),
    }
    host = StdioServerParameters(command=executable, args=words, env=environment, cwd=tmp_path)
    assert asyncio.run(tool_names(host)) == set(BY_NAME)


async def tool_names(server: Any) -> set[str]:
    """The names of the tools that a server lists."""
    async with agent_of(server) as agent:
        return set(await agent.tools())


@pytest.fixture
def http_url(served: Served, tmp_path: Path) -> Iterator[str]:
    """The address of the settings over HTTP, with the page's server there, on another port."""
    (settings,) = json.loads(BLOCKS["settings over HTTP"].text)["servers"].values()
    assert settings["type"] == "http"
    port = free_port()
    python, *words = shlex.split(BLOCKS["server over HTTP"].text)
    assert python == PYTHON
    words += ["--port", str(port), "--server", served.url, "--key-file", str(tmp_path / "k.json")]
    environment = {**os.environ, "TABULARIUM_DATA": str(tmp_path)}
    process = warm_interpreter.Popen([sys.executable, *words], cwd=ROOT, env=environment)
    url = settings["url"].replace(f":{command.PORT}/", f":{port}/")
    assert url != settings["url"]
    assert soon(lambda: is_open(port))
    yield url
    process.terminate()
    process.wait()


def is_open(port: int) -> bool:
    """Whether there is a listener."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_the_server_over_http(http_url: str) -> None:
    assert asyncio.run(tool_names(http_url)) == set(BY_NAME)


class Caller:
    """Makes the calls of the page, one after another, with the ids of the replies before."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.reply: dict[str, Any] = {}
        self.known: dict[str, Any] = {}

    async def read(self, block: Block) -> None:
        """Make the call of a block, or compare the reply with it."""
        if not block.note.startswith("call "):
            text = json.dumps(self.reply)
            assert not (mismatch := difference(block, text)), f"{mismatch} in\n{text}"
            return
        shown = json.loads(block.text)
        arguments = {name: self.known.get(name, each) for name, each in shown.items()}
        self.reply, _ = await self.agent.reply(block.note.removeprefix("call "), arguments)
        self.known |= {name: self.reply[name] for name in KNOWN if name in self.reply}
        if awaited := self.reply.get("to_act"):
            self.known["seat"] = awaited[0]


def test_the_calls_have_the_replies_shown(served: Served) -> None:
    shown = [block for block in blocks(PAGE) if block.note.startswith(("call ", "may differ"))]
    assert len(shown) == 6

    async def read() -> None:
        async with agent_within(served.url) as agent:
            caller = Caller(agent)
            for block in shown:
                await caller.read(block)

    asyncio.run(read())


def test_the_tables_have_all_tools_and_options() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = "".join(line for line in text.splitlines(keepends=True) if line.startswith("| `"))
    tools, options = rows[rows.index("| `list_rules`") :], rows[: rows.index("| `list_rules`")]
    assert set(re.findall(r"`(\w+)`", re.sub(r"\|[^|]*\|\n", "|\n", tools))) == set(BY_NAME)
    parser = ArgumentParser(add_help=False)
    command.add_arguments(parser)
    assert set(re.findall(r"--[a-z-]+", options)) >= {
        word for action in parser._actions for word in action.option_strings
    }
    source = Path(command.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r"TABULARIUM_\w+", source)) == set(re.findall(r"TABULARIUM_\w+", text))
    assert f"cut to {NAME_LENGTH}" in text
    assert f"{command.HOST}, {command.PORT}" in text
