"""The tools: the operation of the API whose schemas each takes, and the function that runs it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tabularium_client.async_client import LONGEST_WAIT, AsyncClient
from tabularium_client.mcp_server import agreements, play, tables
from tabularium_client.mcp_server.input_schemas import ApiDocument, Schema
from tabularium_client.mcp_server.replies import Reply

Arguments = Mapping[str, Any]
SEAT: Final[Schema] = {
    "type": "integer",
    "minimum": 0,
    "description": "One of your seats; by default your first.",
}
AFTER: Final[Schema] = {
    "type": "integer",
    "minimum": 0,
    "description": "The `seq` of the last reply: `happened` has the news since.",
}
WITHIN: Final[Schema] = {
    "type": "integer",
    "minimum": 0,
    "maximum": play.LONGEST_WAIT,
    "default": play.USUAL_WAIT,
    "description": "The seconds after which the reply comes at the latest.",
}
WITHIN_A_REQUEST: Final[Schema] = WITHIN | {"maximum": int(LONGEST_WAIT)}
PAGING: Final[Mapping[str, Schema]] = {
    "first": {
        "type": "integer",
        "minimum": 0,
        "default": 0,
        "description": "The number of the first offer shown: `next_first` of the last reply.",
    },
    "limit": {
        "type": "integer",
        "minimum": 1,
        "maximum": 500,
        "default": play.OFFERS,
        "description": "How many offers are shown.",
    },
}
GAMES: Final[Schema] = {
    "type": "integer",
    "minimum": 1,
    "maximum": 200,
    "default": tables.GAMES,
    "description": "How many games are shown.",
}
MINE: Final[Schema] = {
    "type": "boolean",
    "default": False,
    "description": "Only your own games, private ones included.",
}


@dataclass(frozen=True)
class Tool:
    """A tool: its arguments are `members` of an operation, and `own` ones."""

    name: str
    title: str
    operation: str
    run: Callable[[AsyncClient, Arguments], Awaitable[Reply]]
    members: tuple[str, ...] = ()
    own: Mapping[str, Schema] = field(default_factory=dict)
    needed: tuple[str, ...] = ()  # members that the operation does not require
    more: str = ""  # sentences after the description of the operation
    instead: str = ""  # the description, if that of the operation does not fit
    is_reading: bool = True
    is_destructive: bool = False

    def description(self, document: ApiDocument) -> str:
        """The description, for a model."""
        begin = self.instead or document.description(self.operation)
        return f"{begin} {self.more}".strip()

    def input_schema(self, document: ApiDocument) -> Schema:
        """The schema of the arguments."""
        schema = document.input_schema(self.operation, self.members, self.own)
        return schema | {"required": [*schema["required"], *self.needed]}

    def checked_schema(self, document: ApiDocument) -> Schema:
        """The part of it that is checked here: the API checks the members of its bodies itself, and
        its refusals say more."""
        schema = self.input_schema(document)
        bodies = document.body_members(self.operation)
        properties = {
            name: {} if name in bodies else each for name, each in schema["properties"].items()
        }
        return schema | {"properties": properties}


TOOLS: Final = (
    Tool("list_rules", "List the rulesets", "list_rules", tables.list_rules),
    Tool("rules_text", "Read the rules", "rules_text", tables.rules_text, ("slug", "version")),
    Tool("list_bots", "List the bots", "list_bots", tables.list_bots),
    Tool(
        "list_games",
        "List games",
        "list_games",
        tables.list_games,
        ("rules", "phase", "open", "bot", "order", "cursor"),
        {"mine": MINE, "limit": GAMES},
        instead="List games, those of others too. `open` finds games that you can join.",
    ),
    Tool(
        "create_game",
        "Set up a game",
        "create_game",
        tables.create_game,
        ("rules", "seats", "options", "visibility", "clock", "rated", "hints"),
        more='`{"kind": "me"}` is your seat, `{"kind": "bot", "bot": "greedy"}` that of a bot.'
        " No tool makes invitations.",
        is_reading=False,
    ),
    Tool(
        "join_game",
        "Join a game",
        "join_game",
        tables.join_game,
        ("game", "seat", "invitation"),
        is_reading=False,
    ),
    Tool(
        "start_game",
        "Start with bots",
        "start_game",
        tables.start_game,
        ("game", "fill_with"),
        is_reading=False,
    ),
    Tool(
        "leave_game",
        "Leave before the start",
        "leave_game",
        tables.leave_game,
        ("game", "seat"),
        is_reading=False,
        is_destructive=True,
    ),
    Tool(
        "resign",
        "Resign",
        "resign",
        tables.resign,
        ("game", "seat"),
        is_reading=False,
        is_destructive=True,
    ),
    Tool(
        "look",
        "Look at the table",
        "text",
        play.look,
        ("game",),
        {"seat": SEAT, "after": AFTER},
        instead="Look at a game: the page has in words all that your seat may know.",
    ),
    Tool(
        "offers",
        "List the legal actions",
        "choice",
        play.offers,
        ("game",),
        {"seat": SEAT, **PAGING},
        more="`after` has the certain consequences of an offer. Send `choice` and one `action`"
        " to `act`, as they are.",
    ),
    Tool(
        "act",
        "Act",
        "act",
        play.act,
        ("game", "seat", "choice", "action"),
        {"within": WITHIN_A_REQUEST},
        ("choice", "action"),
        instead="Do an action of your seat: one of the `offers`, with their `choice`. The reply"
        " comes when it is your turn again, or the game is over. A refusal names the error, its"
        " place, and the legal actions.",
        is_reading=False,
    ),
    Tool(
        "wait_for_turn",
        "Wait for your turn",
        "game",
        play.wait_for_turn,
        ("game",),
        {"after": AFTER, "within": WITHIN},
        instead="Wait until one of your seats must act, or the game is over. The reply says which:"
        " `your_turn` and `phase`. If neither is so within the time, call it again.",
    ),
    Tool(
        "hint",
        "Take a hint",
        "create_analysis",
        agreements.hint,
        ("game", "seat", "simulations"),
        instead="Let a search find the best actions of your seat now. The log notes it, for all to"
        " read. There are no hints in rated games, and where other people play only if the game"
        " was created with `hints`.",
        is_reading=False,
    ),
    Tool(
        "propose",
        "Propose a draw, an end, a takeback or a pause",
        "propose",
        agreements.propose,
        ("game", "seat", "of", "to"),
        is_reading=False,
    ),
    Tool(
        "accept_proposal",
        "Accept a proposal",
        "accept_proposal",
        agreements.accept_proposal,
        ("game", "proposal", "seat"),
        is_reading=False,
    ),
    Tool(
        "decline_proposal",
        "Decline a proposal",
        "decline_proposal",
        agreements.decline_proposal,
        ("game", "proposal", "seat"),
        is_reading=False,
    ),
    Tool(
        "resume_game",
        "End a pause",
        "resume_game",
        agreements.resume_game,
        ("game", "seat"),
        is_reading=False,
    ),
    Tool(
        "abort_game",
        "Abort",
        "abort_game",
        agreements.abort_game,
        ("game", "seat"),
        is_reading=False,
        is_destructive=True,
    ),
    Tool(
        "claim_seat",
        "Claim the seat of a player who has left",
        "claim_seat",
        agreements.claim_seat,
        ("game", "seat", "absent", "then"),
        is_reading=False,
        is_destructive=True,
    ),
    Tool(
        "rematch",
        "Ask for a rematch",
        "rematch",
        agreements.rematch,
        ("game",),
        is_reading=False,
    ),
    Tool(
        "verify_game",
        "Verify a game",
        "export",
        tables.verify_game,
        ("game",),
        instead="Export a game that is over and verify it: the hash chain, the committed chance,"
        " every seal and the signatures.",
    ),
)
BY_NAME: Final = {tool.name: tool for tool in TOOLS}
