"""The tools for other people at the table, and for hints."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from time import monotonic
from typing import Any, Final

from tabularium_client.async_client import LONGEST_WAIT, AsyncClient
from tabularium_client.mcp_server.refusals import ToolRefusal
from tabularium_client.mcp_server.replies import Reply, game_document, shown
from tabularium_client.mcp_server.tables import split

HINT_SECONDS: Final = 50.0
HINTS: Final = 5  # actions of a hint
SHOWN_OF_ACTION: Final = ("action", "label", "value", "visits")
SHOWN_OF_THOUGHT: Final = ("label", "value", "visits")
UNCALIBRATED: Final = "The values are those of a search, in thousandths: they are not calibrated."
LATE: Final = "The search has not ended in time: ask again."
Arguments = Mapping[str, Any]


async def hint(client: AsyncClient, arguments: Arguments) -> Reply:
    """The best actions of a seat, by a search."""
    game, body = split(arguments)
    asked = await client.create_analysis(game, **body)
    analysis = await _ended(asked, partial(client.analysis, asked["id"]))
    position = analysis["position"]
    if position is None:
        raise ToolRefusal("no-findings", LATE)
    actions = [shown(each, SHOWN_OF_ACTION) for each in position["actions"][:HINTS]]
    document = {"game": analysis["game"], "seat": analysis["seat"], "actions": actions}
    return Reply(document | {"note": UNCALIBRATED})


async def thought(client: AsyncClient, arguments: Arguments) -> Reply:
    """How a bot reached one of its actions."""
    game, seq = arguments["game"], arguments["seq"]
    found = await _ended(await client.thought(game, seq), partial(client.thought, game, seq))
    findings = found["findings"]
    if findings is None:
        raise ToolRefusal("no-findings", LATE)
    chosen = shown(findings["chosen"], SHOWN_OF_THOUGHT)
    weighed = [shown(each, SHOWN_OF_THOUGHT) for each in findings["actions"][:HINTS]]
    document = shown(found, ("game", "seq", "seat", "bot")) | {"chosen": chosen, "weighed": weighed}
    return Reply(document | ({} if findings["is_calibrated"] else {"note": UNCALIBRATED}))


async def _ended(search: Any, again: Callable[..., Awaitable[Any]]) -> Any:
    """A search once it has ended, or as it is when the time is up."""
    ends_at = monotonic() + HINT_SECONDS
    while search["state"] == "waiting" and (left := ends_at - monotonic()) > 0:
        search = await again(wait=min(left, LONGEST_WAIT))
    return search


async def propose(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game with a proposal, or with its consequence."""
    game, body = split(arguments)
    return Reply(game_document(await client.propose(game, **body)))


async def answer_proposal(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game whose proposal the seat has accepted or declined."""
    game, body = split(arguments)
    answer = client.accept_proposal if body.pop("accept") else client.decline_proposal
    return Reply(game_document(await answer(game, body.pop("proposal"), **body)))


async def resume_game(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game after a pause."""
    game, body = split(arguments)
    return Reply(game_document(await client.resume_game(game, **body)))


async def abort_game(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game that has ended without a result."""
    game, body = split(arguments)
    return Reply(game_document(await client.abort_game(game, **body)))


async def claim_seat(client: AsyncClient, arguments: Arguments) -> Reply:
    """A game whose absent player was replaced."""
    game, body = split(arguments)
    return Reply(game_document(await client.claim_seat(game, **body)))


async def rematch(client: AsyncClient, arguments: Arguments) -> Reply:
    """The next game with the same players."""
    return Reply(game_document(await client.rematch(arguments["game"])))
