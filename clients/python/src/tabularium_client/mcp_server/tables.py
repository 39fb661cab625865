"""The tools for rulesets and tables: from the list of rules to the verification of a game."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from tabularium_client.async_client import AsyncClient
from tabularium_client.mcp_server.refusals import ToolRefusal
from tabularium_client.mcp_server.replies import (
    Reply,
    bot_document,
    game_document,
    invitation_document,
    rules_document,
)
from tabularium_client.verification import WrongExport, verify

GAMES: Final = 10  # of a list
START_WAIT: Final = 5.0  # seconds that the bots may take before your first turn
Arguments = Mapping[str, Any]


async def list_rules(client: AsyncClient, arguments: Arguments) -> Reply:
    """All rulesets."""
    rules = await client.list_rules()
    return Reply({"items": [rules_document(each) for each in rules["items"]]})


async def rules_text(client: AsyncClient, arguments: Arguments) -> Reply:
    """The rules of a game."""
    slug, version = arguments["rules"], arguments.get("version")
    return Reply({"rules": slug}, await client.rules_text(slug, version=version))


async def rules_schema(client: AsyncClient, arguments: Arguments) -> Reply:
    """The JSON Schema of the actions or the options of a ruleset."""
    slug, of = arguments["rules"], arguments["of"]
    schema: Any = await client.rules_schema(of, slug)
    return Reply({"rules": slug, "of": of, "schema": schema})


async def list_bots(client: AsyncClient, arguments: Arguments) -> Reply:
    """All bots."""
    bots = await client.list_bots()
    return Reply({"items": [bot_document(each) for each in bots["items"]]})


async def list_games(client: AsyncClient, arguments: Arguments) -> Reply:
    """A page of games."""
    query = {"limit": GAMES, **arguments}
    is_mine = bool({"my_turn", "challenged"} & set(query)) | query.pop("mine", False)
    page: Any = await (client.my_games(**query) if is_mine else client.list_games(**query))
    items = [game_document(each) for each in page["items"]]
    return Reply({"items": items, "next_cursor": page["next_cursor"]})


async def create_game(client: AsyncClient, arguments: Arguments) -> Reply:
    """A new game."""
    body: Any = arguments
    return Reply(game_document(await client.create_game(wait=START_WAIT, **body)))


async def join_game(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game with a seat of one's own."""
    game, body = split(arguments)
    return Reply(game_document(await client.join_game(game, wait=START_WAIT, **body)))


async def start_game(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game whose free seats bots have taken."""
    game, body = split(arguments)
    return Reply(game_document(await client.start_game(game, wait=START_WAIT, **body)))


async def leave_game(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game without the seat."""
    game, body = split(arguments)
    return Reply(game_document(await client.leave_game(game, **body)))


async def resign(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game from which the seat has resigned."""
    game, body = split(arguments)
    return Reply(game_document(await client.resign(game, **body)))


async def decline_challenge(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game in which you have declined a seat."""
    game, body = split(arguments)
    return Reply(game_document(await client.decline_challenge(game, **body)))


async def invite(client: AsyncClient, arguments: Arguments) -> Reply:
    """An invitation to a free seat."""
    game, body = split(arguments)
    return Reply(invitation_document(await client.invite(game, **body)))


async def call_off_game(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game that will not start."""
    return Reply(game_document(await client.call_off_game(arguments["game"])))


def split(arguments: Arguments) -> tuple[str, Any]:
    """The game, and the body of a request about it."""
    body = {name: each for name, each in arguments.items() if name != "game"}
    return arguments["game"], body


async def verify_game(client: AsyncClient, arguments: Arguments) -> Reply:
    """The findings about the export of a game."""
    game = arguments["game"]
    if (await client.game(game))["phase"] != "over":
        raise ToolRefusal("not-over", "The game is not over: its log has no end to verify yet.")
    export = await client.export(game)
    try:
        verdict = await asyncio.to_thread(verify, export)
    except WrongExport as wrong:
        flaw = {"sentence": str(wrong), "line": wrong.line, "seq": wrong.seq}
        return Reply({"game": game, "is_good": False, "flaw": flaw})
    document = {"game": game, "is_good": True, "is_signed": verdict.is_signed}
    return Reply(document | {"findings": list(verdict.sentences)})
