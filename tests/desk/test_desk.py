"""The desk in a browser: two factors, nothing to change, no secret, and a record of each look."""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config import urls
from config.environment import (
    ADMIN_PATTERN,
    TAKEN_PATHS,
    ConfigurationError,
    origins_of,
    read_admin_path,
)
from desk.read_only import MOST_LISTED, BoundedPaginator
from games.models import Game
from tests.desk.office import DESK, PASSWORD, Browser, Office
from tests.support.databases import Kept, is_on_server
from tests.support.served import serving
from web import urls as web_urls

if TYPE_CHECKING:
    from playwright.sync_api import Page

MODELS: Final = ("games/game", "games/account", "api/key", "api/webhook", "games/staffaction")


@pytest.fixture(scope="module")
def office(kept_template: Kept, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """A server with a desk, behind a proxy of this machine."""
    variables = {"TABULARIUM_ADMIN": DESK.strip("/"), "TABULARIUM_PROXIES": "127.0.0.1"}
    with serving(kept_template, tmp_path_factory.mktemp("desk"), **variables) as served:
        yield Office(served)


@pytest.fixture(scope="module")
def browser(office: Office) -> Browser:
    """A browser in which staff have logged in."""
    return office.seated("Grace")


pytestmark = [pytest.mark.lane("processes"), pytest.mark.stores]


class TestTwoFactors:
    def test_all_are_needed(self, office: Office) -> None:
        office.add("Eve")
        browser = Browser(office.served.url, "203.0.113.2")
        for code, password in (
            ("", PASSWORD),
            (office.code("Eve", wrong=1), PASSWORD),
            (office.code("Eve"), "another password"),
        ):
            page = browser.log_in("Eve", code, password)
            assert page.status == 200
            assert "errornote" in page.text
            assert browser.get("/").status == 302

    def test_a_code_works_once(self, office: Office) -> None:
        office.add("Bob")
        code = office.code("Bob")
        assert Browser(office.served.url, "203.0.113.3").log_in("Bob", code).status == 302
        assert Browser(office.served.url, "203.0.113.3").log_in("Bob", code).status == 200

    def test_an_address_has_some_attempts(self, office: Office) -> None:
        browser = Browser(office.served.url, "203.0.113.4")
        browser.get("/login/")
        attempts, start = 0, monotonic()
        while (page := browser.post("/login/", username="Eve", password="")).status != 429:
            attempts += 1
            assert attempts <= 20 + (monotonic() - start) / 30  # one is regained in 30 seconds
        assert attempts >= 20
        assert json.loads(page.text)["code"] == "too-many-requests"
        assert int(page.headers["Retry-After"]) > 0

    def test_short_passwords_are_refused(self, office: Office) -> None:
        assert "at least 12 characters" in office.manage("staff", "add", "Ian", typed="short\n")
        assert "Ian" not in office.manage("staff", "list")

    @pytest.mark.lane("processes")
    def test_who_is_removed_is_out(self, office: Office) -> None:
        browser = office.seated("Zoe")
        assert browser.get("/").status == 200
        assert "Zoe" in office.manage("staff", "list")
        assert "no longer" in office.manage("staff", "remove", "Zoe")
        assert browser.get("/").status == 302
        assert "not among the staff" in office.manage("staff", "remove", "Zoe")

    def test_others_see_nothing(self, office: Office) -> None:
        stranger = Browser(office.served.url)
        for path in ("/", *(f"/{model}/" for model in MODELS), f"/games/game/{office.game}/log/"):
            page = stranger.get(path)
            assert page.status == 302
            assert page.headers["Location"].startswith(f"{DESK}/login/")


class TestPages:
    def test_every_model_has_a_list_and_pages(self, office: Office, browser: Browser) -> None:
        index = browser.get("/").text
        for model in MODELS:
            assert f'href="{DESK}/{model}/"' in index
            assert browser.get(f"/{model}/").status == 200
        page = browser.get(f"/games/game/{office.game}/change/")
        assert "duality" in page.text
        assert f'href="{DESK}/games/game/{office.game}/log/"' in page.text
        found = browser.get(f"/games/game/?q={office.game}")
        assert "1 game" in found.text
        assert "0 games" in browser.get("/games/game/?q=game_0").text

    def test_names_are_text(self, office: Office, browser: Browser) -> None:
        page = browser.get(f"/games/account/{office.account['account']['id']}/change/")
        assert "Ada &lt;b&gt;" in page.text
        assert "<b>" not in page.text

    def test_nothing_can_be_changed(self, office: Office, browser: Browser) -> None:
        game = f"/games/game/{office.game}"
        for path in (f"{game}/change/", f"{game}/delete/", "/games/game/add/"):
            assert browser.post(path, visibility="public", post="yes").status == 403
        assert browser.post("/games/game/", action="delete_selected").status in (200, 302)
        assert office.rows("list(Game.objects.values_list('visibility', flat=True))") == ["private"]
        assert browser.get("/password_change/").status == 404

    def test_there_is_no_secret(self, office: Office, browser: Browser) -> None:
        """Neither those of games, keys and webhooks, nor a hand."""
        secrets = office.rows(
            "[game.secret.hex() for game in Game.objects.all()]"
            " + [key.digest for key in Key.objects.all()]"
            " + [hook.secret.hex() for hook in Webhook.objects.all()]"
        )
        assert len(secrets) == 3
        account, key = office.account["account"]["id"], office.account["key"]["id"]
        pages = [
            browser.get(path).text
            for path in (
                *(f"/{model}/" for model in MODELS),
                f"/games/game/{office.game}/change/",
                f"/games/account/{account}/change/",
                f"/api/key/{key}/change/",
                f"/api/webhook/{office.webhook['webhook']['id']}/change/",
                f"/games/game/{office.game}/log/",
            )
        ]
        whole = "".join(pages)
        assert key in whole
        for secret in (*secrets, office.account["secret"], office.webhook["secret"]):
            assert secret not in whole

    def test_the_log_is_that_of_onlookers(self, office: Office, browser: Browser) -> None:
        key = office.account["secret"]
        log = office.served.ask(f"/games/{office.game}/log?as=onlooker", key)
        page = browser.get(f"/games/game/{office.game}/log/").text
        for entry in log["items"]:
            for item in entry["news"]:
                assert item["text"].replace("'", "&#x27;") in page
        assert browser.get("/games/game/game_0/log/").status == 404

    def test_browsers_get_a_policy_and_no_page_of_another_origin_does(
        self, browser: Browser
    ) -> None:
        page = browser.get("/", Origin="https://elsewhere.example")
        assert "script-src 'self'" in page.headers["Content-Security-Policy"]
        assert "unsafe" not in page.headers["Content-Security-Policy"]
        assert page.headers["Cache-Control"] == "no-store"
        assert "Access-Control-Allow-Origin" not in page.headers
        for flag in ("HttpOnly", "Secure", "SameSite=Strict", f"Path={DESK}/"):
            assert flag in browser.flags["sessionid"]


@pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store")
def test_in_chromium(office: Office, page: Page) -> None:
    """From the log-in to the log of a game, under the policy."""
    office.add("Joan")
    page.goto(f"{office.served.url.replace('127.0.0.1', 'localhost')}{DESK}/")
    page.get_by_label("Username").fill("Joan")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("One-time code").fill(office.code("Joan"))
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Games", exact=True).last.click()
    page.get_by_role("link", name=office.game).click()
    page.get_by_role("link", name="entries").click()
    page.get_by_text("A table of Duality for 2 players is set up").wait_for()
    page.get_by_role("button", name="Log out").click()
    page.get_by_text("Thanks for spending some quality time").wait_for()


def test_each_look_is_recorded(office: Office) -> None:
    browser = office.seated("Ada")
    browser.get(f"/games/game/?q={office.game}")
    browser.get(f"/games/game/{office.game}/change/")
    browser.get(f"/games/game/{office.game}/log/")
    said = office.manage("staff_actions", "--limit", "5")
    own = [line.partition("UTC  ")[2] for line in reversed(said.splitlines())]
    assert own[0].endswith("staff-add desk: Ada")
    assert own[1:] == [
        "desk: Ada  log-in desk: from 203.0.113.1",
        f"desk: Ada  list game: {office.game}",
        f"desk: Ada  look {office.game}: game",
        f"desk: Ada  look {office.game}: log",
    ]


@pytest.mark.django_db
def test_lists_count_no_more_than_they_show() -> None:
    with CaptureQueriesContext(connection) as queries:
        assert BoundedPaginator(Game.objects.order_by("-pk"), 50).count == 0
    assert f"LIMIT {MOST_LISTED}" in queries[0]["sql"]


@pytest.mark.django_db
def test_there_is_none_by_default(client: Client) -> None:
    assert client.get(f"{DESK}/").status_code == 404
    assert client.get(f"{DESK}/login/").status_code == 404


@pytest.mark.parametrize("path", ["api", "api/v1", "t/desk", "a b", "../x", "ä", "desk//x"])
def test_an_impossible_path_is_refused(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABULARIUM_ADMIN", path)
    with pytest.raises(ConfigurationError, match="must be a path"):
        read_admin_path()


def test_no_address_of_the_service_is_a_possible_path() -> None:
    patterns = [*urls.urlpatterns, *web_urls.urlpatterns]
    routes = {str(pattern.pattern).split("/")[0] for pattern in patterns}
    assert {route for route in routes if ADMIN_PATTERN.fullmatch(route)} <= TAKEN_PATHS


@pytest.mark.lane("processes")
def test_paths_and_origins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABULARIUM_ADMIN", "/a/desk-1/")
    assert read_admin_path() == "a/desk-1"
    hosts: Any = ["play.example", ".club.example", "*"]
    assert origins_of(hosts) == ["https://play.example", "https://*.club.example"]
