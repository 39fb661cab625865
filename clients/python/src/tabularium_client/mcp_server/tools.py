"""The tools: their arguments, in few words, since a model reads the whole list, and the function
that runs each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from jsonschema import Draft202012Validator

from tabularium_client.async_client import LONGEST_WAIT, AsyncClient
from tabularium_client.mcp_server import agreements, play, tables
from tabularium_client.mcp_server.refusals import ToolRefusal
from tabularium_client.mcp_server.replies import Reply

Arguments = Mapping[str, Any]
Schema = dict[str, Any]
TEXT: Final[Schema] = {"type": "string"}
FLAG: Final[Schema] = {"type": "boolean"}
NUMBER: Final[Schema] = {"type": "integer"}
OBJECT: Final[Schema] = {"type": "object"}
MOST_OFFERS: Final = 200


def described(schema: Schema, description: str) -> Schema:
    """The schema of an argument, with a description."""
    return schema | {"description": description}


def one_of(*values: str) -> Schema:
    """The schema of an argument that takes one of these words."""
    return {"enum": list(values)}


def number(least: int, most: int) -> Schema:
    """The schema of a number within bounds."""
    return {"type": "integer", "minimum": least, "maximum": most}


@dataclass(frozen=True)
class Tool:
    """A tool. It takes `needed` and `others` of its arguments."""

    name: str
    run: Callable[[AsyncClient, Arguments], Awaitable[Reply]]
    description: str
    needed: Mapping[str, Schema] = field(default_factory=dict)
    others: Mapping[str, Schema] = field(default_factory=dict)
    is_reading: bool = False
    is_destructive: bool = False

    @property
    def input_schema(self) -> Schema:
        """The schema of its arguments."""
        schema: Schema = {"type": "object", "properties": {**self.needed, **self.others}}
        return schema | ({"required": list(self.needed)} if self.needed else {})

    def checked(self, arguments: Arguments) -> Arguments:
        """The arguments; refused if the tool does not have one, or needs another. For JSON Schema
        1.0 is an integer, too."""
        schema = self.input_schema | {"additionalProperties": False}
        for error in Draft202012Validator(schema).iter_errors(arguments):
            pointer = "".join(f"/{part}" for part in error.absolute_path)
            raise ToolRefusal("invalid-arguments", error.message, pointer)
        return {
            name: int(each) if isinstance(each, float) and each.is_integer() else each
            for name, each in arguments.items()
        }


GAME: Final = {"game": TEXT}
SEAT: Final = {"seat": NUMBER}
RULES: Final = {"rules": TEXT}
OWN_SEAT: Final = {"seat": described(NUMBER, "Default: your first.")}
WITHIN: Final = described(number(0, play.LONGEST_WAIT), "Seconds.")

TOOLS: Final = (
    Tool("list_rules", tables.list_rules, "List the rulesets.", is_reading=True),
    Tool(
        "rules_text",
        tables.rules_text,
        "Read the rules of a game.",
        RULES,
        {"version": NUMBER},
        is_reading=True,
    ),
    Tool(
        "rules_schema",
        tables.rules_schema,
        "Get the JSON Schema of a ruleset's actions or options.",
        {**RULES, "of": one_of("action", "options")},
        is_reading=True,
    ),
    Tool("list_bots", tables.list_bots, "List the bots.", is_reading=True),
    Tool(
        "list_games",
        tables.list_games,
        "List games: all, `open` ones, `mine`, those of `my_turn`, or with you `challenged`.",
        {},
        {
            **RULES,
            "phase": one_of("gathering", "playing", "over"),
            **dict.fromkeys(("open", "mine", "my_turn", "challenged"), FLAG),
            "cursor": TEXT,
        },
        is_reading=True,
    ),
    Tool(
        "create_game",
        tables.create_game,
        "Set up a game. It starts when no seat is free.",
        {
            **RULES,
            "seats": described(
                {"type": "array", "items": OBJECT},
                'Clockwise: {"kind":"me"}, {"kind":"bot","bot":"greedy"}, {"kind":"open"},'
                ' {"kind":"invite"}, {"kind":"account","account":"…"}.',
            ),
        },
        {
            "options": described(OBJECT, "By `rules_schema`."),
            "visibility": one_of("public", "private"),
            "clock": described(OBJECT, '{"action_ms":60000,"then":"bot"}'),
            "rated": FLAG,
            "hints": FLAG,
        },
    ),
    Tool(
        "join_game",
        tables.join_game,
        "Take a free seat, one kept for you, or one by `invitation`.",
        {**GAME, **SEAT},
        {"invitation": TEXT},
    ),
    Tool(
        "start_game",
        tables.start_game,
        "Give the free seats of your game to bots.",
        GAME,
        {"fill_with": TEXT},
    ),
    Tool(
        "invite",
        tables.invite,
        "Reserve a free seat of your game. The `invitation` to pass on ends an earlier one.",
        {**GAME, **SEAT},
    ),
    Tool(
        "leave_game",
        tables.leave_game,
        "Give up a seat before the start; in your own game, any seat.",
        {**GAME, **SEAT},
        is_destructive=True,
    ),
    Tool(
        "decline_challenge",
        tables.decline_challenge,
        "Decline a seat that is kept for you.",
        {**GAME, **SEAT},
        is_destructive=True,
    ),
    Tool(
        "call_off_game",
        tables.call_off_game,
        "Call off your game before the start.",
        GAME,
        is_destructive=True,
    ),
    Tool(
        "look",
        play.look,
        "Read the table in words, as your seat sees it.",
        GAME,
        {
            **OWN_SEAT,
            "since": described(NUMBER, "`seq` of your last look: changed lines alone."),
        },
        is_reading=True,
    ),
    Tool(
        "offers",
        play.offers,
        "List legal actions with their numbers; with `details`, as JSON, and certain consequences.",
        GAME,
        {
            **OWN_SEAT,
            "matching": described(TEXT, "Text of the label, such as one of `beginnings`."),
            "first": described(NUMBER | {"minimum": 0}, "`next_first` of the last page."),
            "limit": number(1, MOST_OFFERS),
            "details": FLAG,
        },
        is_reading=True,
    ),
    Tool(
        "act",
        play.act,
        "Do the `offer` of this number, an `action` as JSON, or `words` if the choice takes them."
        " Replies when it is your turn again, with news and the next choice.",
        {**GAME, "choice": described(TEXT, "Token that came with the offers.")},
        {
            **OWN_SEAT,
            "offer": NUMBER,
            "action": OBJECT,
            "words": TEXT,
            "within": WITHIN | {"maximum": int(LONGEST_WAIT)},
        },
    ),
    Tool(
        "wait_for_turn",
        play.wait_for_turn,
        "Wait for an event: `your_turn` with its choice, `game_over`, or a `proposal` that asks"
        " your seats.",
        GAME,
        {
            "after": described(NUMBER, "`seq` of the last reply, for the news since."),
            "within": WITHIN,
        },
        is_reading=True,
    ),
    Tool(
        "hint",
        agreements.hint,
        "Let a search find your best actions. The log notes it.",
        GAME,
        {**OWN_SEAT, "simulations": NUMBER},
    ),
    Tool(
        "thought",
        agreements.thought,
        "After a game: how a bot reached its action of entry `seq`.",
        {**GAME, "seq": NUMBER},
        is_reading=True,
    ),
    Tool(
        "propose",
        agreements.propose,
        "Propose to the other people. A takeback goes back `to` one of `takebacks`.",
        {**GAME, **SEAT, "of": one_of("draw", "end", "takeback", "pause")},
        {"to": NUMBER},
    ),
    Tool(
        "answer_proposal",
        agreements.answer_proposal,
        "Accept or decline.",
        {**GAME, **SEAT, "proposal": described(NUMBER, "Its `seq`."), "accept": FLAG},
    ),
    Tool("resume_game", agreements.resume_game, "End a pause.", {**GAME, **SEAT}),
    Tool("resign", tables.resign, "Resign.", {**GAME, **SEAT}, is_destructive=True),
    Tool(
        "abort_game",
        agreements.abort_game,
        "End a game without a result before a person has acted.",
        {**GAME, **SEAT},
        is_destructive=True,
    ),
    Tool(
        "claim_seat",
        agreements.claim_seat,
        "Go on without a player who is silent for seven days.",
        {**GAME, **SEAT, "absent": NUMBER},
        {"then": one_of("bot", "resign")},
        is_destructive=True,
    ),
    Tool("rematch", agreements.rematch, "Ask for a rematch.", GAME),
    Tool(
        "verify_game",
        tables.verify_game,
        "Verify the log of a game that is over.",
        GAME,
        is_reading=True,
    ),
)
BY_NAME: Final = {tool.name: tool for tool in TOOLS}
