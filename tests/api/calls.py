"""A successful call of each operation, one line per operation; the tests of failures change a part
of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import urlencode

from ai.analysis import part_worker
from ai.models import Part
from api.keys import ALL_SCOPES
from games import selectors
from games.audit import stored_game_export
from games.models import Game
from tabularium_log.audit.export_format import VIEWER_EVERYTHING
from tests.api.contract import contract
from tests.api.program import Program
from tests.api.world import World
from tests.games.sitting import SEED, SLUG

LINES: Final = "application/x-ndjson"
MANAGER: Final = {"scopes": ["keys:manage"]}
HOOK: Final = {"url": "https://1.1.1.1/hook"}
DEALT: Final = 4  # entries, the last of which is the deal
PROPOSAL: Final = {"proposal": str(DEALT + 1)}
BOTS: Final = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]


@dataclass(frozen=True)
class Spec:
    """The parts of a call: a game in some phase, a body, and a permitted caller."""

    game: str = ""  # a method of the world
    by: str = "ada"
    body: Any = None  # or a function of the world and the game
    status: int = 200
    values: Mapping[str, str] = field(default_factory=dict)  # of the path parameters
    query: Mapping[str, str] = field(default_factory=dict)  # those that it needs
    stranger: str = ""  # the problem for an onlooker; "": it is open to all
    other: str = ""  # the problem for Bob, who plays seat 1
    scopes: tuple[str, ...] = ()  # of a sufficient key, if it needs more than the described one


@dataclass(frozen=True)
class Call:
    """A request that is ready to be sent."""

    method: str
    path: str
    body: Any
    kind: str  # media type of the body
    spec: Spec
    values: Mapping[str, str]

    def send(self, program: Program, **query: str) -> Any:
        """Send it; the response."""
        query = {**self.spec.query, **query}
        path = self.path + ("?" + urlencode(query) if query else "")
        if self.body is None:
            return program.generic(self.method, path)
        return program.send(path, self.body, self.method, content_type=self.kind)

    def with_changes(self, **changes: Any) -> Call:
        """The same call with some fields replaced."""
        return replace(self, **changes)


def action_body(world: World, game: str) -> Any:
    return world.body(game)


def seed_body(world: World, game: str) -> Any:
    return {"seat": 0, "seed": SEED}


def claim_body(world: World, game: str) -> Any:
    """A claim of Ada, who waits for Bob."""
    return {"seat": 0, "absent": 1}


def fork_body(world: World, game: str) -> Any:
    return {"seq": Game.objects.get(pk=game).seq, "seat": 0, "seats": BOTS}


def export_body(world: World, game: str) -> Any:
    """An export of a finished game."""
    return "".join(
        f"{line}\n" for line in stored_game_export.export_lines(world.over(), VIEWER_EVERYTHING)
    )


def foreign_export_body(world: World, game: str) -> Any:
    """An export of another server."""
    return world.foreign()


def key_of(world: World) -> dict[str, str]:
    """A key of Ada's, other than the one that her program sends."""
    document = world.as_ada.send("/api/v1/me/keys", MANAGER).json()
    return {"key": document["key"]["id"]}


def webhook_of(world: World) -> dict[str, str]:
    """A webhook of Ada's, and one of its deliveries."""
    hook = world.as_ada.send("/api/v1/webhooks", HOOK).json()["webhook"]["id"]
    delivery = world.as_ada.send(f"/api/v1/webhooks/{hook}/ping").json()["id"]
    return {"webhook": hook, "delivery": delivery}


def analysis_of(world: World) -> dict[str, str]:
    """A finished analysis of a decision in a finished game, requested by Ada."""
    game = world.over()
    seat = int(selectors.game_projection(game, DEALT).awaited_seats > 1)
    body = {"seat": seat, "seq": DEALT, "simulations": 600}
    path = f"/api/v1/games/{game}/analyses"
    analysis: str = world.as_ada.send(path, body).json()["id"]
    for number in range(Part.objects.filter(analysis=analysis).count()):
        part_worker.work_on_part(analysis, number)
    return {"analysis": analysis}


def code_body(world: World, game: str) -> Any:
    """A one-time code of Ada's."""
    return {"code": world.as_ada.send("/api/v1/keys/handover").json()["code"], "name": "phone"}


def account_body(world: World, game: str) -> Any:
    """The confirmation that Ada's account is to be deleted."""
    return {"account": world.ada.pk}


OTHERS: Final = "not-your-seat"
READING: Final = Spec("playing")
SEATED: Final[dict[str, Any]] = {"stranger": OTHERS, "other": OTHERS}
OWNED: Final[dict[str, Any]] = {"stranger": "not-your-game", "other": "not-your-game"}
RULES: Final = {"slug": SLUG}

SPECS: Final[Mapping[str, Spec]] = {
    "entry_point": Spec(),
    "health": Spec(),
    "openapi": Spec(),
    "ready": Spec(),
    "metrics": Spec(by="nobody"),
    "problem": Spec(values={"code": "not-found"}),
    "list_bots": Spec(),
    "bot": Spec(values={"bot": "greedy"}),
    "account": Spec(),
    "list_accounts": Spec(query={"name": "Ada"}),
    "list_rules": Spec(),
    "rules": Spec(values=RULES),
    "rules_schema": Spec(values=RULES | {"part": "view"}),
    "rules_text": Spec(values=RULES),
    "rules_picture": Spec(values=RULES),
    "list_ratings": Spec("rated", values=RULES),
    "create_guest": Spec(body={"name": "Ada"}, status=201),
    "me": Spec(),
    "rename_me": Spec(body={"name": "Ada L."}),
    "delete_me": Spec(body=account_body, status=204, scopes=ALL_SCOPES),
    "export_me": Spec("playing"),
    "list_keys": Spec(),
    "create_key": Spec(body=MANAGER, status=201),
    "delete_key": Spec(status=204),
    "rotate_key": Spec(body={"overlap_ms": 1000}, status=201),
    "hand_over_key": Spec(body={"keeps_key": False}, status=201),
    "redeem_code": Spec(body=code_body, status=201),
    "recovery_codes": Spec(),
    "make_recovery_codes": Spec(status=201, scopes=ALL_SCOPES),
    "revoke_recovery_codes": Spec(status=204, scopes=ALL_SCOPES),
    "my_games": Spec(),
    "list_games": Spec(),
    "create_game": Spec(body={"rules": SLUG, "seats": BOTS}, status=201),
    "game": READING,
    "log": READING,
    "entry": Spec("playing", values={"seq": "4"}),
    "thought": Spec("thought_over", values={"seq": "6"}),
    "state": Spec("playing", values={"seq": "4"}),
    "picture": READING,
    "pictures": READING,
    "picture_png": READING,
    "replay": Spec("over", status=202),
    "text": READING,
    "export": READING,
    "proof": READING,
    "record_proof": Spec("recorded"),
    "choice": Spec("awaiting", stranger=OTHERS),
    "act": Spec("playing", body=action_body, status=201, **SEATED),
    "check_action": Spec("playing", body=action_body, **SEATED),
    "join_game": Spec("gathering", "bob", {"seat": 1}),
    "leave_game": Spec("joined", body={"seat": 0}, **SEATED),
    "decline_challenge": Spec("challenging", "bob", {"seat": 1}, stranger="not-challenged"),
    "open_seed": Spec("promised", body=seed_body, **SEATED),
    "start_game": Spec("gathering", body={"fill_with": "random"}, **OWNED),
    "resign": Spec("playing", body={"seat": 0}, **SEATED),
    "abort_game": Spec("playing", body={"seat": 0}, **SEATED),
    "rematch": Spec("over", status=201, stranger=OTHERS),
    "call_off_game": Spec("gathering", **OWNED),
    "propose": Spec("playing", body={"seat": 0, "of": "draw"}, **SEATED),
    "accept_proposal": Spec("proposed", body={"seat": 0}, values=PROPOSAL, **SEATED),
    "decline_proposal": Spec("proposed", body={"seat": 0}, values=PROPOSAL, **SEATED),
    "resume_game": Spec("paused", body={"seat": 0}, **SEATED),
    "claim_seat": Spec("silent", body=claim_body, **SEATED),
    "seat_bot": Spec("playing", body={"seat": 0, "bot": "random"}, **SEATED),
    "invite": Spec("gathering", body={"seat": 1}, status=201, **OWNED),
    "fork_game": Spec("playing", body=fork_body, status=201, **SEATED),
    "list_analyses": READING,
    "create_analysis": Spec(
        "awaiting_hints", body={"seat": 0, "simulations": 600}, status=202, **SEATED
    ),
    "analysis": Spec(),
    "cancel_analysis": Spec(status=204, stranger="not-your-analysis", other="not-your-analysis"),
    "list_webhooks": Spec(),
    "create_webhook": Spec(body=HOOK, status=201),
    "webhook": Spec(),
    "change_webhook": Spec(body={"is_enabled": False}),
    "delete_webhook": Spec(status=204),
    "rotate_webhook": Spec(status=201),
    "ping_webhook": Spec(status=202),
    "list_deliveries": Spec(),
    "redeliver": Spec(status=202),
    "stream_game": Spec("over"),  # ends by itself
    "stream_me": Spec(),
    "stream_games": Spec(query={"open": "true"}),
    "hide_game": Spec("imported_game", **OWNED),
    "verify_export": Spec(body=export_body),
    "import_game": Spec(body=foreign_export_body, status=201),
}


def call_of(world: World, operation: str, **options: Any) -> Call:
    """The call of an operation in this world; `options` are for its game."""
    description, spec = contract().operations[operation], SPECS[operation]
    values = dict(spec.values)
    if spec.game:
        values["game"] = getattr(world, spec.game)(**options)
    for placeholder, find in (
        ("{key}", key_of),
        ("{account}", lambda world: {"account": world.ada.pk}),
        ("{webhook}", webhook_of),
        ("{analysis}", analysis_of),
    ):
        if placeholder in description["path"]:
            values |= find(world)
    values = {name: value for name, value in values.items() if f"{{{name}}}" in description["path"]}
    template: Callable[[World, str], Any] | Any = spec.body
    body = template(world, values.get("game", "")) if callable(template) else template
    kind = next(iter(description.get("requestBody", {}).get("content", {})), "")
    path = description["path"].format(**values)
    return Call(description["method"], path, body, kind, spec, values)
