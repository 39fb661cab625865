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
from api.games import account_export, actions
from api.problem_catalogue import CORRECT, PROBLEM_KINDS, READ_FIRST, SEND_AGAIN
from api.query_serializers import LogQuery, PageQuery
from api.webhooks import endpoints as webhooks
from config.environment import DEFAULT_RATE_LIMITS
from games.audit.size_budget import EXPORT_BUDGET
from tests.config.processes import PATIENCE
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
    documented = {code: (int(status), meaning) for code, status, meaning in rows}
    assert documented == {code: (kind.status, kind.meaning) for code, kind in PROBLEM_KINDS.items()}


def test_every_remedy_is_listed() -> None:
    rows = PAGE.partition("<!-- remedies -->")[2].split("\n\n")[0]
    listed = re.findall(r"^\| (.+) \| (.+) \|$", rows, re.MULTILINE)[1:]
    assert listed == [
        ("408, 429, 5xx", SEND_AGAIN),
        ("409", READ_FIRST),
        ("other 4xx", CORRECT),
    ]
    for kind in PROBLEM_KINDS.values():
        statuses = {SEND_AGAIN: (408, 429, *range(500, 600)), READ_FIRST: (409,)}
        assert (kind.status in statuses.get(kind.remedy, ())) == (kind.remedy != CORRECT)


def test_every_limit_is_listed() -> None:
    assert {name: (int(q), int(w)) for name, q, w in LIMIT.findall(PAGE)} == DEFAULT_RATE_LIMITS


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("a body", f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE} bytes"),
        ("an export that is verified or imported", f"{EXPORT_BUDGET.total_bytes >> 20} MB"),
        ("a line of it", f"{EXPORT_BUDGET.line_bytes >> 10} kB"),
        ("actions in one request", actions.MAX_ACTIONS_PER_REQUEST),
        ("a page of a list", longest(PageQuery)),
        ("games in one export of an account", account_export.MAX_GAMES),
        ("a page of a log", longest(LogQuery)),
        ("streams and waiting requests of one account", settings.STREAMS_EACH),
        ("games that an account has set up and that are not over", settings.OPEN_GAMES),
        ("analyses of an account that have not ended", settings.ANALYSES_EACH),
        ("games that an account has imported", settings.IMPORTS_EACH),
        ("keys of an account", accounts.MAX_KEYS_PER_ACCOUNT),
        ("webhooks of an account", webhooks.MAX_WEBHOOKS_PER_ACCOUNT),
    ],
)
def test_every_size_is_listed(name: str, most: object) -> None:
    assert f"| {name} | {most} |" in PAGE


class Client:
    """Sends requests to a server over HTTP."""

    def __init__(self, url: str) -> None:
        self.api = f"{url}/api/v1"
        self.key = ""
        self.key = self.ask("/guests", {})["secret"]

    def ask(self, path: str, body: Any = None, key: str = "", **headers: str) -> Any:
        """The document of the answer, success or problem."""
        request_headers = {"Content-Type": "application/json", **headers}
        if key or self.key:
            request_headers["Authorization"] = f"Bearer {key or self.key}"
        content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        try:
            with urlopen(
                Request(self.api + path, content, request_headers), timeout=PATIENCE
            ) as response:
                return json.load(response)
        except HTTPError as problem:
            with problem:
                return json.load(problem)


@pytest.fixture
def client(live_server: Any) -> Client:
    """A client with a guest account."""
    return Client(live_server.url)


def faulty_requests(client: Client) -> Iterator[tuple[str, Any, str, dict[str, str]]]:
    """Requests with every fault at first, and fewer and fewer after that."""
    finished, running = client.ask("/games", MINE), client.ask("/games", MINE)
    client.ask(f"/games/{finished['id']}/resign", {"seat": 0})
    (seat,) = running["to_act"]
    reader = client.ask("/me/keys", {"scopes": ["games:read"]})["secret"]
    actions = f"/games/{running['id']}/actions"
    choice = client.ask(f"/games/{running['id']}/choice?seat={seat}")
    act = {"seat": seat, "choice": choice["token"], "action": choice["offers"][-1]["action"]}
    used_key = {"Idempotency-Key": "used"}
    next_token = client.ask(actions, act, **used_key)["choice"]["token"]
    unknown_path, finished_path = "/games/game_none/actions", f"/games/{finished['id']}/actions"
    wrong_type = used_key | {"Content-Type": "text/plain"}
    illegal = {"action": {"type": "law_of_the_dice.fly"}}
    yield f"{unknown_path}?nothing=1", b"{", "tab_no", wrong_type
    yield f"{unknown_path}?nothing=1", b"{", reader, wrong_type
    yield unknown_path, b"{", reader, wrong_type
    yield unknown_path, b"{", "", wrong_type
    yield finished_path, b"{", "", wrong_type
    yield finished_path, b"{", "", used_key
    yield finished_path, {"seat": 5, "colour": "red"}, "", used_key
    yield finished_path, {"seat": 5}, "", used_key
    yield finished_path, {"seat": 5, **illegal}, "", used_key
    yield finished_path, {"seat": seat, **illegal}, "", used_key
    yield finished_path, {"seat": seat, **illegal, "choice": act["choice"]}, "", used_key
    yield finished_path, {"seat": seat, **illegal, "choice": act["choice"]}, "", {}
    yield actions, {"seat": seat, **illegal, "choice": act["choice"]}, "", {}
    yield actions, {"seat": seat, **illegal, "choice": next_token}, "", {}


def test_the_order(client: Client) -> None:
    refusals = [
        client.ask(path, body, key, **more) for path, body, key, more in faulty_requests(client)
    ]
    assert [refusal["code"] for refusal in refusals] == ORDER
