"""The tools of a seat: look, list the legal actions, act, and wait for the next event."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import Any, Final

from tabularium_client import types
from tabularium_client.async_client import LONGEST_WAIT as LONGEST_REQUEST
from tabularium_client.async_client import AsyncClient
from tabularium_client.mcp_server import pages
from tabularium_client.mcp_server.choices import OFFERS, Page, choice_document
from tabularium_client.mcp_server.refusals import RefusedAction, ToolRefusal
from tabularium_client.mcp_server.replies import (
    Document,
    Reply,
    news_document,
    standing_document,
)
from tabularium_client.problems import BadRequest, Unprocessable
from tabularium_client.turns import awaited_seat, turn_in

LONGEST_WAIT: Final = 50  # seconds; some hosts give a tool a minute
USUAL_WAIT: Final = 20
OFFERS_ROOM, DETAILS_ROOM = 3_000, 10_000  # bytes of a page
NEWS: Final = 50  # entries that are read for a reply
WAYS: Final = ("offer", "words", "action")
STALE: Final[Any] = {}  # no action: a stale choice is refused before the action is read
Arguments = Mapping[str, Any]


# -- look -----------------------------------------------------------------------------------------


async def look(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game as a seat sees it: all of it, or the lines that have changed."""
    game, since, viewer = arguments["game"], arguments.get("since"), viewer_of(arguments)
    table = await client.game(game, as_=viewer)
    page = await _page(client, table, viewer, table["seq"])
    if since is not None:
        page = pages.changes(await _page(client, table, viewer, since), page)
    return Reply(standing_document(table), page)


async def _page(client: AsyncClient, table: types.GameView, viewer: str | None, seq: int) -> str:
    """The table in words after an entry; nothing before the game starts."""
    if table["first"] is None or seq < table["first"]:
        return ""
    return pages.compact(await client.text(table["id"], as_=viewer, seq=seq))


def viewer_of(arguments: Arguments) -> str | None:
    """The seat as which to read, if the arguments name one."""
    return f"seat:{arguments['seat']}" if "seat" in arguments else None


# -- act ------------------------------------------------------------------------------------------


async def offers(client: AsyncClient, arguments: Arguments) -> Reply:
    """The legal actions of a seat, or some of them."""
    game, has_details = arguments["game"], arguments.get("details", False)
    choice = await client.choice(game, seat=arguments.get("seat"))
    page = Page(
        arguments.get("matching", ""),
        arguments.get("first", 0),
        arguments.get("limit", OFFERS),
        DETAILS_ROOM if has_details else OFFERS_ROOM,
        has_details,
    )
    return Reply({"game": game} | choice_document(choice, page))


async def act(client: AsyncClient, arguments: Arguments) -> Reply:
    """The effects of an action, the news up to the next turn, and the next choice."""
    game, token = arguments["game"], arguments["choice"]
    choice = await client.choice(game, seat=arguments.get("seat"))
    action = chosen(choice, token, arguments)
    wait, seat = arguments.get("within", USUAL_WAIT), choice["seat"]
    try:
        result = await client.act(game, seat=seat, choice=token, action=action, wait=wait)
    except (BadRequest, Unprocessable) as problem:
        raise RefusedAction(problem, choice) from problem
    after = result["entries"][0]["seq"] - 1
    log = await client.log(game, after=after, as_=f"seat:{seat}", limit=NEWS)
    return Reply({"game": game} | _result_document(result, seat) | news_document(log, after))


def chosen(choice: types.ChoiceView, token: str, arguments: Arguments) -> Any:
    """The action that the arguments state. A number counts for the choice alone for which it was
    shown: the token of another one goes with no action at all, and is refused."""
    if len(given := [name for name in WAYS if name in arguments]) != 1:
        raise ToolRefusal("no-action", "Send one of `offer`, `words` and `action`.")
    if given == ["action"]:
        return arguments["action"]
    if token != choice["token"]:
        return STALE
    if given == ["words"]:
        return _said(choice, arguments["words"])
    number, last = arguments["offer"], len(choice["offers"]) - 1
    if not 0 <= number <= last:
        raise ToolRefusal("no-offer", f"The offers have the numbers 0 to {last}.", "/offer")
    return choice["offers"][number]["action"]


def _said(choice: types.ChoiceView, words: str) -> Any:
    """An action in words."""
    if not choice["forms"]:
        raise ToolRefusal("no-words", "This choice takes no words: send an `offer`.", "/words")
    form = choice["forms"][0]
    return {"type": form["type"], form["member"]: words}


def _result_document(result: types.ActionResult, seat: int) -> Document:
    """The standing after an action, and the next choice of the seat."""
    choice, outcome = result["choice"], result["result"]
    document: Document = {
        "phase": "playing" if outcome is None else "over",
        "your_turn": choice is not None and choice["is_awaited"],
        "game_over": outcome is not None,
        "to_act": result["to_act"],
    }
    if outcome is not None:
        document["result"] = outcome
    return document | ({} if choice is None else choice_document(choice))


# -- events ---------------------------------------------------------------------------------------


async def wait_for_turn(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game once it asks for one of your seats or is over, or when the time is."""
    game, after = arguments["game"], arguments.get("after")
    ends_at = monotonic() + arguments.get("within", USUAL_WAIT)
    table = await seen_by_awaited(client, game)
    while not is_asking(table, after) and (left := ends_at - monotonic()) > 0:
        await client.wait_for_entry(game, table["seq"], min(left, LONGEST_REQUEST))
        table = await seen_by_awaited(client, game)
    return Reply(await event_document(client, table, after))


async def event_document(
    client: AsyncClient, table: types.GameView, after: int | None = None
) -> Document:
    """The standing of a game, the news since an entry, and the choice of the seat it awaits."""
    document = standing_document(table)
    if (choice := table["choice"]) is not None:
        document |= choice_document(choice)
    if after is None:
        return document
    viewer = None if choice is None else f"seat:{choice['seat']}"
    log = await client.log(table["id"], after=after, as_=viewer, limit=NEWS)
    return document | news_document(log, after)


async def seen_by_awaited(client: AsyncClient, game: str) -> types.GameView:
    """A game, by that of your seats for which it waits."""
    table = await client.game(game)
    seat = awaited_seat(table)
    if seat is None or turn_in(table, seat) is not None:
        return table
    return await client.game(game, as_=f"seat:{seat}")


def is_asking(table: types.GameView, after: int | None) -> bool:
    """Whether a game is over, waits for one of your seats, or has a proposal for it that is newer
    than an entry."""
    asked = standing_document(table)
    proposal = asked.get("proposal", {"seq": 0, "asks": []})
    is_proposed = bool(proposal["asks"]) and proposal["seq"] > (after or 0)
    return asked["game_over"] or asked["your_turn"] or is_proposed
