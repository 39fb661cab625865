"""An agent of the tests: it calls tools through a client of the SDK, and keeps all replies."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from mcp import Client

from tabularium_client import AsyncClient
from tabularium_client.mcp_server.command import PATIENCE
from tabularium_client.mcp_server.server import agent_server
from tests.clients.short_tables import SHORT_TABLES

PASSED: Final = ("stale-choice", "not-your-turn", "game-over")


class Agent:
    """Calls tools. `replies` has the text of all replies, as the host receives them."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.replies: list[str] = []

    async def tools(self) -> dict[str, Any]:
        """The tools, as they are listed."""
        listed = await self._client.list_tools()
        self.replies.append(listed.model_dump_json())
        return {tool.name: tool for tool in listed.tools}

    async def reply(self, name: str, arguments: Any) -> tuple[Any, bool]:
        """The document with which a tool replies, and whether it is a refusal. The host shows a
        model either the document or its texts, which have the same content."""
        result = await self._client.call_tool(name, arguments)
        self.replies.append(result.model_dump_json())
        document = result.structured_content
        *pages, text = [getattr(block, "text", "") for block in result.content]
        assert pages == ([document["page"]] if "page" in document else [])
        assert json.loads(text) == {n: each for n, each in document.items() if n != "page"}
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

    async def play(self, game: str) -> Any:
        """Play a game to its end, always with the last offer: the last reply."""
        reply = await self.call("wait_for_turn", game=game)
        while reply["phase"] != "over":
            if reply["your_turn"]:
                reply = await self.act(game, reply.get("legal"))
            else:
                reply = await self.call("wait_for_turn", game=game, after=reply["seq"])
        return reply

    async def act(self, game: str, choice: Any = None) -> Any:
        """The last action of a choice, if its last offer is known, or of the one open now; if
        another player was faster, the next turn."""
        if choice is None or choice["next_first"] is not None:
            first = 0 if choice is None else choice["count"] - 1
            arguments = {"game": game, "first": first, "limit": 500}
            choice, is_refusal = await self.reply("offers", arguments)
            if is_refusal:
                return await self.wait_again(game, choice)
        answer = {"seat": choice["seat"], "choice": choice["choice"]}
        action = choice["offers"][-1]["action"]
        reply, is_refusal = await self.reply("act", {"game": game, "action": action, **answer})
        return await self.wait_again(game, reply) if is_refusal else reply

    async def wait_again(self, game: str, refusal: Any) -> Any:
        """The next turn after one that another player's action has ended."""
        assert refusal["code"] in PASSED
        return await self.call("wait_for_turn", game=game)


@asynccontextmanager
async def agent_of(server: Any) -> AsyncIterator[Agent]:
    """An agent whose client of the SDK connects with this server."""
    async with Client(server) as client:
        yield Agent(client)


@asynccontextmanager
async def agent_within(url: str, **options: Any) -> AsyncIterator[Agent]:
    """An agent, with its MCP server in this process."""
    api = AsyncClient(url, **{"retries": PATIENCE, **options})
    async with api, agent_of(agent_server(api)) as agent:
        yield agent
