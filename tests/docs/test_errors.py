"""docs/errors.md is exact: it lists every problem, the order in which an action is checked, and
the limits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.conf import settings

from api import accounts
from api.games import actions
from api.problem_catalogue import PROBLEM_KINDS
from api.query_serializers import LogQuery, PageQuery
from api.webhooks import endpoints as webhooks
from config.environment import DEFAULT_RATE_LIMITS
from games.audit.size_budget import EXPORT_BUDGET
from tests.docs.verifier import DOCS

PAGE: Final = (DOCS / "errors.md").read_text(encoding="utf-8")
ROW: Final = re.compile(r"^\| `([a-z-]+)` \| (\d+) \| (.*) \|$", re.MULTILINE)
LIMIT: Final = re.compile(r"^\| `([a-z]+)` \| (\d+) \| (\d+) \| .* \|$", re.MULTILINE)
ORDER: Final = re.findall(
    r"\| `([a-z-]+)` \|", PAGE.partition("<!-- order -->")[2].split("\n\n")[0]
)
MINE: Final = {"rules": "law_of_the_dice", "seats": [{"kind": "me"}, {"kind": "me"}]}


def longest(query: type[PageQuery | LogQuery]) -> Any:
    """The largest page size that this query allows."""
    limit: Any = query().fields["limit"]
    return limit.max_value


def test_every_code_is_listed() -> None:
    rows = ROW.findall(PAGE.partition("## Every code")[2])
    listed = {code: (int(status), meaning) for code, status, meaning in rows}
    assert listed == {code: (kind.status, kind.meaning) for code, kind in PROBLEM_KINDS.items()}


def test_every_limit_is_listed() -> None:
    assert {name: (int(q), int(w)) for name, q, w in LIMIT.findall(PAGE)} == DEFAULT_RATE_LIMITS


@pytest.mark.parametrize(
    ("what", "most"),
    [
        ("a body", f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes"),
        ("an export that is verified or imported", f"{EXPORT_BUDGET.total_bytes >> 20} MB"),
        ("a line of it", f"{EXPORT_BUDGET.line_bytes >> 10} kB"),
        ("actions in one request", actions.MAX_ACTIONS_PER_REQUEST),
        ("a page of a list", longest(PageQuery)),
        ("a page of a log", longest(LogQuery)),
        ("streams and waiting requests of one account", settings.STREAMS_EACH),
        ("games that an account has set up and that are not over", settings.OPEN_GAMES),
        ("analyses of an account that have not ended", settings.ANALYSES_EACH),
        ("games that an account has imported", settings.IMPORTS_EACH),
        ("keys of an account", accounts.MAX_KEYS_PER_ACCOUNT),
        ("webhooks of an account", webhooks.MAX_WEBHOOKS_PER_ACCOUNT),
    ],
)
def test_every_size_is_listed(what: str, most: object) -> None:
    assert f"| {what} | {most} |" in PAGE


class Client:
    """Sends requests to a server over HTTP."""

    def __init__(self, url: str) -> None:
        self.api = f"{url}/api/v1"
        self.key = ""
        self.key = self.ask("/guests", {})["secret"]

    def ask(self, path: str, body: Any = None, key: str = "", **headers: str) -> Any:
        """The document of the answer, success or problem."""
        known = {"Content-Type": "application/json", **headers}
        if key or self.key:
            known["Authorization"] = f"Bearer {key or self.key}"
        content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        try:
            with urlopen(Request(self.api + path, content, known), timeout=30) as answer:
                return json.load(answer)
        except HTTPError as problem:
            with problem:
                return json.load(problem)


@pytest.fixture
def client(live_server: Any) -> Client:
    """A client with a guest account."""
    return Client(live_server.url)


def asked(client: Client) -> Iterator[tuple[str, Any, str, dict[str, str]]]:
    """Requests with every fault at first, and fewer and fewer after that."""
    over, here = client.ask("/games", MINE), client.ask("/games", MINE)
    client.ask(f"/games/{over['id']}/resign", {"seat": 0})
    (seat,) = here["to_act"]
    reader = client.ask("/me/keys", {"scopes": ["games:read"]})["secret"]
    actions = f"/games/{here['id']}/actions"
    choice = client.ask(f"/games/{here['id']}/choice?seat={seat}")
    act = {"seat": seat, "choice": choice["token"], "action": choice["offers"][-1]["action"]}
    used = {"Idempotency-Key": "used"}
    fresh = client.ask(actions, act, **used)["choice"]["token"]
    none, past = "/games/game_none/actions", f"/games/{over['id']}/actions"
    plain = used | {"Content-Type": "text/plain"}
    fly = {"action": {"type": "law_of_the_dice.fly"}}
    yield f"{none}?nothing=1", b"{", "tab_no", plain
    yield f"{none}?nothing=1", b"{", reader, plain
    yield none, b"{", reader, plain
    yield none, b"{", "", plain
    yield past, b"{", "", plain
    yield past, b"{", "", used
    yield past, {"seat": 5, "colour": "red"}, "", used
    yield past, {"seat": 5}, "", used
    yield past, {"seat": 5, **fly}, "", used
    yield past, {"seat": seat, **fly}, "", used
    yield past, {"seat": seat, **fly, "choice": act["choice"]}, "", used
    yield past, {"seat": seat, **fly, "choice": act["choice"]}, "", {}
    yield actions, {"seat": seat, **fly, "choice": act["choice"]}, "", {}
    yield actions, {"seat": seat, **fly, "choice": fresh}, "", {}


def test_the_order(client: Client) -> None:
    refusals = [client.ask(path, body, key, **more) for path, body, key, more in asked(client)]
    assert [refusal["code"] for refusal in refusals] == ORDER
