"""Events for hosts that subscribe to a game (`subscriptions/listen` of the protocol of 2026-07-28):
it waits for a seat, asks for the answer to a proposal, or is over."""

from __future__ import annotations

import json
from typing import Any, Final

import anyio
from mcp.server import ServerRequestContext
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourceUpdated,
    SubscriptionBus,
)
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult,
    TextResourceContents,
)

from tabularium_client import types
from tabularium_client.async_client import LONGEST_WAIT, AsyncClient
from tabularium_client.mcp_server.play import event_document, is_asking, seen_by_awaited
from tabularium_client.mcp_server.refusals import refusal_document
from tabularium_client.mcp_server.replies import presentable, standing_document
from tabularium_client.problems import TabulariumError

SCHEME: Final = "tabularium://games/"
MIME_TYPE: Final = "application/json"
Context = ServerRequestContext[Any]


class Events:
    """The games as resources: their contents are a reply of `wait_for_turn`."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def list_resources(
        self, context: Context, parameters: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        """Your latest games; none as long as there is no key."""
        if self._client.key is None:
            return ListResourcesResult(resources=[])
        games = (await self._client.my_games())["items"]
        found = [Resource(uri=SCHEME + game["id"], name=game["id"]) for game in games]
        return ListResourcesResult(resources=found)

    async def list_templates(
        self, context: Context, parameters: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """The address of a game."""
        template = ResourceTemplate(
            uri_template=SCHEME + "{game}",
            name="game",
            description="Updated when it is your turn, a proposal asks you, or the game is over.",
            mime_type=MIME_TYPE,
        )
        return ListResourceTemplatesResult(resource_templates=[template])

    async def read(
        self, context: Context, parameters: ReadResourceRequestParams
    ) -> ReadResourceResult:
        """The standing of a game, with your choice."""
        client, uri = self._client, parameters.uri
        try:
            table = await seen_by_awaited(client, uri.removeprefix(SCHEME))
            document = await event_document(client, table)
        except TabulariumError as failure:
            raise MCPError(INVALID_PARAMS, refusal_document(failure)["sentence"]) from failure
        keys = () if client.key is None else (client.key,)
        text = json.dumps(presentable(document, keys), ensure_ascii=False)
        contents = TextResourceContents(uri=uri, mime_type=MIME_TYPE, text=text)
        return ReadResourceResult(contents=[contents])

    async def listen(
        self, context: Context, parameters: SubscriptionsListenRequestParams
    ) -> SubscriptionsListenResult:
        """The events of some games, until the host goes away or the server fails."""
        bus = InMemorySubscriptionBus()
        handler = ListenHandler(bus)
        async with anyio.create_task_group() as group:
            for uri in parameters.notifications.resource_subscriptions or ():
                group.start_soon(self._watch, uri, bus, handler)
            result = await handler(context, parameters)
            group.cancel_scope.cancel()
        return result

    async def _watch(self, uri: str, bus: SubscriptionBus, handler: ListenHandler) -> None:
        """Publish each event of a game; a failure ends the subscription, which a host renews."""
        game, known = uri.removeprefix(SCHEME), None
        try:
            while True:
                table = await seen_by_awaited(self._client, game)
                if is_asking(table, None) and (mark := _mark(table)) != known:
                    known = mark
                    await bus.publish(ResourceUpdated(uri))
                if table["phase"] == "over":
                    return
                await self._client.wait_for_entry(game, table["seq"], LONGEST_WAIT)
        except TabulariumError:
            handler.close()


def _mark(table: types.GameView) -> object:
    """A value that is another one after the next event."""
    choice, standing = table["choice"], standing_document(table)
    token = choice["token"] if choice is not None and choice["is_awaited"] else None
    return token, standing.get("proposal", {}).get("seq"), standing["game_over"]
