"""A page of another origin calls the API in Chromium: whole games with `fetch` alone, headers,
preflights, refusals, streams and pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import pytest

from api.cross_origin import EXPOSED_HEADERS
from tabularium_engines.installed.registry import ENGINES
from tests.browser.browsing import Complaints
from tests.clients.short_tables import SHORT_TABLES
from tests.support.databases import Kept, is_on_server
from tests.support.served import MANY_GUESTS, Served, serving

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
FOLDER: Final = Path(__file__).with_name("elsewhere")
OF_DEPRECATIONS: Final = {"deprecation", "link", "sunset"}  # there are none today
CREATIONS: Final = 3  # of each account in an hour
LIMITS: Final = f"{MANY_GUESTS},read=1000000/60,write=1000000/60,create={CREATIONS}/3600"
TABLE: Final = {
    "rules": "law_of_the_dice",
    "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}],
}
BOTS: Final = {"rules": "law_of_the_dice", "seats": [{"kind": "bot", "bot": "random"}] * 2}


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a line for each request."""

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def served(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server with few creations for all tests of this file."""
    folder = tmp_path_factory.mktemp("served")
    with serving(
        kept_template, folder, TABULARIUM_LIMITS=LIMITS, TABULARIUM_GRACE_MS="0"
    ) as served:
        yield served


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """Another origin, with the page."""
    handler = partial(QuietHandler, directory=str(FOLDER))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


class Script:
    """The functions of `play.mjs` in an open page."""

    def __init__(self, page: Page, api: str) -> None:
        self.page, self.api = page, api
        self.key = ""

    def run(self, function: str, *arguments: Any) -> Any:
        """The result of a function."""
        return self.page.evaluate(f"(given) => {function}(...given)", list(arguments))

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Everything that the page can read of a response."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        options = {"headers": fields} if body is None else {"headers": fields, "body": body}
        return self.run("call", self.api, self.key, method, path, options)


@pytest.fixture
def script(page: Page, elsewhere: str, served: Served) -> Script:
    """The page of another origin."""
    page.goto(elsewhere)
    return Script(page, f"{served.url}/api/v1")


@pytest.fixture
def player(script: Script) -> Script:
    """The same, with the key of a guest."""
    script.key = script.run("guest", script.api)
    return script


@pytest.mark.parametrize("slug", ENGINES)
def test_it_plays_a_whole_game(
    slug: str, script: Script, served: Served, complaints: Complaints
) -> None:
    """The script reads each entry from the stream before it goes on: the stream must not be held
    back."""
    complaints.expect("status of 409")  # a bot may react before the script acts
    table = SHORT_TABLES[slug]
    new = {"rules": slug, "seats": table.seats, "options": dict(table.options)}
    played = script.run("play", script.api, new)
    game = served.ask(played["game"])
    assert (game["phase"], game["result"]) == ("over", played["result"])
    assert played["seqs"] == list(range(1, game["seq"] + 1))
    log = served.ask(f"{played['game']}/log?limit=1000")["items"]
    actions = [entry for entry in log if entry["action"]["type"].startswith(f"{slug}.")]
    assert played["actions"] == [entry["seat"] for entry in actions].count(0)  # 0 if a bot is quick


def test_it_reads_every_header(player: Script, complaints: Complaints) -> None:
    complaints.expect("status of 4")
    fields = {"Prefer": "wait=20", "Idempotency_Key": '"one"'}
    created = player.call("POST", "/games", TABLE, **fields)
    place = created["headers"]["location"].removeprefix("/api/v1")
    law = player.call("GET", "/rules/law")
    responses = [
        created,
        player.call("POST", "/games", TABLE, **fields),
        law,
        player.call("GET", "/rules/law", If_None_Match=law["headers"]["etag"]),
        player.call("GET", f"{place}/log?after=1000", Prefer="wait=1"),
        player.call("GET", f"{place}/export"),
        player.call("DELETE", "/rules"),
    ]
    assert [each["status"] for each in responses] == [201, 201, 200, 304, 200, 200, 405]
    responses += [player.call("POST", "/games", BOTS) for _ in range(CREATIONS)]
    assert responses[-1]["status"] == 429
    player.key = ""
    responses.append(player.call("GET", "/me"))
    assert responses[-1]["status"] == 401
    readable = {name for each in responses for name in each["headers"]}
    assert {name.lower() for name in EXPOSED_HEADERS} - OF_DEPRECATIONS <= readable


def test_the_browser_asks_before_it_sends(player: Script) -> None:
    session = player.page.context.new_cdp_session(player.page)
    sent: list[str] = []
    session.on("Network.requestWillBeSent", lambda event: sent.append(event["request"]["method"]))
    session.send("Network.enable")
    renamed = player.call("PATCH", "/me", {"name": "Ada"})
    assert (renamed["status"], json.loads(renamed["text"])["name"]) == (200, "Ada")
    assert sorted(sent) == ["OPTIONS", "PATCH"]


def test_it_reads_why_it_is_refused(player: Script, complaints: Complaints) -> None:
    complaints.expect("status of 4")
    place = player.call("POST", "/games", TABLE, Prefer="wait=20")["headers"]["location"]
    game = place.removeprefix("/api/v1")
    action = {"seat": 0, "expected_seq": 4, "action": {"type": "law_of_the_dice.fly"}}
    refused = player.call("POST", f"{game}/actions", action)
    assert refused["status"] in (409, 422)
    problem = json.loads(refused["text"])
    assert problem["code"] in ("stale-choice", "illegal-action")
    assert problem["request_id"] == refused["headers"]["request-id"]
    assert refused["headers"]["content-type"] == "application/problem+json"


@pytest.fixture
def bots_game(player: Script) -> str:
    """The URL of a game of two bots."""
    place = player.call("POST", "/games", BOTS)["headers"]["location"]
    return f"{player.api}{place.removeprefix('/api/v1')}"


def test_an_event_source_reads_a_game_and_stops_at_its_end(player: Script, bots_game: str) -> None:
    """It needs no key; after the end it connects once more, and 204 stops it."""
    types = player.run("eventTypes", f"{bots_game}/stream")
    assert types[0] == "table.create"
    assert types[-1] == "table.end"


def test_it_shows_and_reads_pictures(player: Script, bots_game: str) -> None:
    assert min(player.run("size", f"{bots_game}/picture.svg")) > 100
    assert player.run("size", f"{bots_game}/picture.png?width=300")[0] == 300


def test_complaints_of_a_page_are_heard(page: Page, complaints: Complaints) -> None:
    policy = "<meta http-equiv=Content-Security-Policy content=\"script-src 'none'\">"
    with page.context.expect_event("weberror"):
        page.evaluate("console.warn('a warning'); setTimeout(() => { throw Error('an error') })")
    with page.context.expect_event("console"):
        page.set_content(f"{policy}<script>1</script>")
    heard = ["a warning", "an error", "Content Security Policy"]
    assert len(complaints.unexpected) == len(heard)
    for text in heard:
        complaints.expect(text)
    assert not complaints.unexpected
