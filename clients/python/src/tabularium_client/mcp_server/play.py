"""The tools of a seat: look, list the legal actions, act, and wait for the next turn."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from tabularium_client import types
from tabularium_client.async_client import AsyncClient
from tabularium_client.mcp_server.refusals import FIRST_OFFERS
from tabularium_client.mcp_server.replies import (
    Document,
    Reply,
    choice_document,
    game_document,
    happened,
)
from tabularium_client.problems import ProblemReply, StaleChoice
from tabularium_client.turns import awaited_seat

LONGEST_WAIT: Final = 50  # seconds; some hosts give a tool a minute
USUAL_WAIT: Final = 20
OFFERS: Final = 100
NEWS: Final = 100  # entries whose news a reply has
BAD_REQUEST, UNPROCESSABLE = 400, 422
Arguments = Mapping[str, Any]


class RefusedAction(Exception):
    """An action that was refused, with the legal ones."""

    def __init__(self, problem: ProblemReply, legal: Document | None) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.legal = legal


async def look(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game as a seat sees it."""
    seat = arguments.get("seat")
    return await _look(client, arguments["game"], seat, arguments.get("after"))


async def _look(client: AsyncClient, game: str, seat: int | None, after: int | None) -> Reply:
    """The game, in words too, with the news since an entry."""
    viewer = None if seat is None else f"seat:{seat}"
    table = await client.game(game, as_=viewer)
    document = game_document(table) | {"your_turn": awaited_seat(table) is not None}
    if after is not None:
        document["happened"] = happened(await _entries(client, game, after, viewer))
    has_view = table["first"] is not None
    page = await client.text(game, as_=viewer, seq=table["seq"]) if has_view else ""
    return Reply(document, page)


async def _entries(
    client: AsyncClient, game: str, after: int, viewer: str | None
) -> list[types.EntryView]:
    """The entries after another, as a viewer reads them."""
    return (await client.log(game, after=after, as_=viewer, limit=NEWS))["items"]


async def offers(client: AsyncClient, arguments: Arguments) -> Reply:
    """The legal actions of a seat."""
    choice = await client.choice(arguments["game"], seat=arguments.get("seat"))
    first, limit = arguments.get("first", 0), arguments.get("limit", OFFERS)
    return Reply(choice_document(choice, first, limit))


async def act(client: AsyncClient, arguments: Arguments) -> Reply:
    """The effects of an action, and the news up to the next turn."""
    body = dict(arguments)
    game, within = body.pop("game"), body.pop("within", USUAL_WAIT)
    try:
        result = await client.act(game, wait=within, **body)
    except ProblemReply as problem:
        raise RefusedAction(problem, await _legal(client, problem, arguments)) from problem
    begin = result["entries"][0]["seq"] - 1
    entries = await _entries(client, game, begin, f"seat:{body['seat']}")
    return Reply({"game": game} | _result_document(result, entries))


def _result_document(result: types.ActionResult, entries: list[types.EntryView]) -> Document:
    """The result of an action, and of all that came after it."""
    choice = result["choice"]
    document: Document = {
        "seq": entries[-1]["seq"],
        "happened": happened(entries),
        "to_act": result["to_act"],
        "result": result["result"],
        "phase": "playing" if result["result"] is None else "over",
        "your_turn": choice is not None and choice["is_awaited"],
    }
    return document | (
        {} if choice is None else {"legal": choice_document(choice, 0, FIRST_OFFERS)}
    )


async def _legal(
    client: AsyncClient, problem: ProblemReply, arguments: Arguments
) -> Document | None:
    """The legal actions instead of one that was refused, if the reason was the action itself."""
    if isinstance(problem, StaleChoice) or problem.status not in (BAD_REQUEST, UNPROCESSABLE):
        return None
    seat = arguments["seat"]
    with suppress(ProblemReply):
        own = seat if isinstance(seat, int) else None
        choice = await client.choice(arguments["game"], seat=own)
        return choice_document(choice, 0, FIRST_OFFERS)
    return None


async def wait_for_turn(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game when a seat of one's own must act, when it is over, or when the time is."""
    game, within = arguments["game"], arguments.get("within", USUAL_WAIT)
    seat = None
    with suppress(TimeoutError):
        turn = await client.wait_for_turn(game, within=within)
        seat = None if turn is None else turn.seat
    return await _look(client, game, seat, arguments.get("after"))
