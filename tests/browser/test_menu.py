"""The offers of the menu of a table, in Chromium, with games as the API gives them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.pages_alone import HERE, MODULE, PagesAlone
from tests.support.databases import is_on_server

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
NOW: Final = datetime.fromisoformat("2026-03-09T12:00:00+00:00")
ADA: Final = {"seat": 0, "kind": "account", "name": "Ada", "bot": None, "is_you": True}
EVE: Final = {"seat": 1, "kind": "account", "name": "Eve", "bot": None, "is_you": False}
BOT: Final = {"seat": 2, "kind": "bot", "name": None, "bot": "greedy", "is_you": False}
GAME: Final = {
    "phase": "playing",
    "at": (NOW - timedelta(days=8)).isoformat(),
    "seats": [ADA, EVE, BOT],
    "your_seats": [0],
    "to_act": [0, 1, 2],
    "clock": None,
    "paused_since": None,
    "rated": False,
    "takebacks": [],
}


@pytest.fixture
def pages(page: Page) -> PagesAlone:
    """A page at a fixed time."""
    pages = PagesAlone(page)
    page.clock.set_fixed_time(NOW)
    page.goto(f"{HERE}/verify")
    page.locator("#file").wait_for()
    return pages


def menu(pages: PagesAlone, **changes: Any) -> Locator:
    """The menu of a game, in place of the page's content."""
    pages.page.evaluate(
        """async ([modules, game]) => {
          const { showMenu } = await import(modules + "menu.js");
          window.calls = [];
          const call = async (name, body) => void window.calls.push([name, body]);
          const place = document.createElement("div");
          document.getElementById("main").replaceChildren(place);
          showMenu({ game, seq: null, call }, place);
        }""",
        [MODULE, {**GAME, **changes}],
    )
    return pages.page.locator("#main")


def test_a_person_who_has_been_silent_for_a_week_is_replaced_by_a_bot(pages: PagesAlone) -> None:
    claim = menu(pages).get_by_role("button", name="has left")
    assert claim.all_inner_texts() == ["Eve has left: let a bot play on"]
    claim.click()
    pages.page.get_by_role("button", name="Really?").click()
    assert pages.page.evaluate("window.calls") == [["claim", {"seat": 0, "absent": 1}]]


@pytest.mark.parametrize(
    "changes",
    [
        {"at": (NOW - timedelta(days=6)).isoformat()},
        {"clock": {"milliseconds": 1, "then": "bot"}},
        {"paused_since": (NOW - timedelta(days=9)).isoformat()},
        {"to_act": [0, 2]},
        {"your_seats": []},
    ],
)
def test_no_other_player_is_replaced(pages: PagesAlone, changes: dict[str, Any]) -> None:
    shown = menu(pages, **changes)
    shown.get_by_role("button", name="Download the game").wait_for()
    assert shown.get_by_role("button", name="has left").count() == 0
