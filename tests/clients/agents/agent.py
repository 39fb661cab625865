"""An agent of the tests: a client of the SDK that knows the list of tools and the replies alone,
counts the bytes that a model would read and write, and plays whole games."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from jsonschema import Draft202012Validator
from mcp import Client

from tabularium_client import AsyncClient
from tabularium_client.mcp_server.command import PATIENCE
from tabularium_client.mcp_server.server import agent_server
from tests.clients.short_tables import SHORT_TABLES

USUAL: Final = ("look", "act")  # the calls of each decision
PASSED: Final = ("stale-choice", "not-your-turn", "game-over")
ELSEWHERE: Final = 0.2  # of the choices that are not shown whole: an offer that is not shown
LAST: Final = 0.7  # of all others: the last offer, with which games are short


@dataclass
class Cost:
    """The calls that a decision took, their bytes, and those of `look` and `act` alone."""

    calls: int = 0
    size: int = 0
    usual_size: int = 0

    def add(self, tool: str, size: int) -> None:
        """Count a call of a tool."""
        self.calls += 1
        self.size += size
        self.usual_size += size if tool in USUAL else 0


class Agent:
    """Calls tools. `replies` has the text of all replies, as the host receives them; `decisions`
    what each action has cost; `refusals` the codes of the actions that were refused."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._schemas: dict[str, Draft202012Validator] = {}
        self._chance = Random()
        self._cost = Cost()
        self.replies: list[str] = []
        self.decisions: list[Cost] = []
        self.refusals: list[str] = []

    async def tools(self) -> dict[str, Any]:
        """The tools, as they are listed."""
        listed = await self._client.list_tools()
        self.replies.append(listed.model_dump_json(by_alias=True, exclude_none=True))
        self._schemas = {
            tool.name: Draft202012Validator(tool.input_schema) for tool in listed.tools
        }
        return {tool.name: tool for tool in listed.tools}

    async def reply(self, name: str, arguments: Any) -> tuple[Any, bool]:
        """The document with which a tool replies, and whether it is a refusal. A page stands before
        it as a text of its own; nothing comes twice."""
        result = await self._client.call_tool(name, arguments)
        self.replies.append(result.model_dump_json())
        assert result.structured_content is None
        texts = [getattr(block, "text", "") for block in result.content]
        self._cost.add(name, sum(len(each.encode()) for each in [json.dumps(arguments), *texts]))
        *pages, text = texts
        document = json.loads(text) | ({"page": pages[0]} if pages else {})
        return document, result.is_error

    async def call(self, name: str, **arguments: Any) -> Any:
        """The reply of a tool that does not refuse."""
        document, is_refusal = await self.reply(name, arguments)
        assert not is_refusal, document
        return document

    async def refused(self, name: str, **arguments: Any) -> Any:
        """The refusal of a tool."""
        document, is_refusal = await self.reply(name, arguments)
        assert is_refusal, document
        return document

    async def create_short(self, slug: str) -> Any:
        """A new game that is short if it is played with the last offers."""
        table = SHORT_TABLES[slug]
        arguments = {"rules": slug, "seats": table.seats, "options": table.options}
        return await self.call("create_game", **arguments)

    # -- whole games ------------------------------------------------------------------------------

    async def play(self, game: str, seed: int = 0) -> Any:
        """Play a game to its end: the last reply."""
        self._chance = Random(seed)
        if not self._schemas:
            await self.tools()
        seen: dict[str, Any] = {}
        reply = await self.asked("wait_for_turn", game=game)
        self._cost = Cost()
        while not reply["game_over"]:
            if reply["your_turn"]:
                seen = await self.asked("look", game=game, seat=reply["seat"], **since(seen))
                reply = await self.act(game, reply)
                self.decisions.append(self._cost)
                self._cost = Cost()
            else:
                reply = await self.asked("wait_for_turn", game=game, after=reply["seq"])
        return reply

    async def asked(self, name: str, **arguments: Any) -> Any:
        """The reply of a tool to arguments that fit its schema."""
        self._schemas[name].validate(arguments)
        return await self.call(name, **arguments)

    async def act(self, game: str, choice: Any) -> Any:
        """The reply to an action by its number; if another player was faster, the next turn."""
        answer = {"game": game, "seat": choice["seat"], "choice": choice["choice"]}
        arguments = {**answer, "offer": await self.chosen(game, choice)}
        self._schemas["act"].validate(arguments)
        reply, is_refusal = await self.reply("act", arguments)
        if not is_refusal:
            return reply
        self.refusals.append(reply["code"])
        assert reply["code"] in PASSED, reply
        return await self.asked("wait_for_turn", game=game)

    async def chosen(self, game: str, choice: Any) -> int:
        """The number of an offer: of one that is shown, or of one on another page."""
        if "next_first" in choice and self._chance.random() < ELSEWHERE:
            at = {"game": game, "seat": choice["seat"]}
            if begin := self._chance.choice(["", *choice.get("beginnings", ())]):
                choice = await self.asked("offers", **at, matching=begin)
            else:
                first = self._chance.randrange(choice["count"])
                choice = await self.asked("offers", **at, first=first, limit=20)
        lines = [*choice["offers"], *choice.get("also", [])]
        line = lines[-1] if self._chance.random() < LAST else self._chance.choice(lines)
        return int(line.split()[0])


def since(seen: Any) -> dict[str, int]:
    """The argument of a look that is not the first."""
    return {"since": seen["seq"]} if seen else {}


@asynccontextmanager
async def agent_of(server: Any, **options: Any) -> AsyncIterator[Agent]:
    """An agent whose client of the SDK connects with this server."""
    async with Client(server, **options) as client:
        yield Agent(client)


@asynccontextmanager
async def agent_within(url: str, **options: Any) -> AsyncIterator[Agent]:
    """An agent, with its MCP server in this process."""
    api = AsyncClient(url, **{"retries": PATIENCE, **options})
    async with api, agent_of(agent_server(api)) as agent:
        yield agent
