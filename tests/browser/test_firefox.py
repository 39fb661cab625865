"""The pages in Firefox: whole games by keyboard, refusals, the policy, and verification."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, Final

import pytest

from tabularium_engines.installed.registry import ENGINES
from tests.browser import firefox
from tests.browser.firefox import Firefox
from tests.browser.playing import Player
from tests.browser.test_verify import FORGERIES, true_export
from tests.clients.short_tables import SHORT_TABLES, ShortTable
from tests.config.processes import PATIENCE, soon
from tests.support.databases import is_on_server
from tests.support.missing_requirements import require_firefox
from tests.support.served import Served

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
LONG_DICE: Final = ShortTable({"points_to_win": 10}, "random")
PICTURED: Final = 8  # decisions that are made in the picture; the others in the list
LISTEN: Final = """() => {
  const { notice } = document.querySelector("tabularium-table");
  window.notices = [];
  const hear = () => window.notices.push(notice.textContent);
  new MutationObserver(hear).observe(notice, { childList: true });
}"""
ACT: Final = """() => {
  const table = document.querySelector("tabularium-table");
  return table.act(table.session.choice.offers.at(-1));
}"""
ACT_ELSEWHERE_AND_HERE: Final = """async () => {
  const table = document.querySelector("tabularium-table");
  const { session } = table;
  const { token, seat, offers } = session.choice;
  const body = { seat, choice: token, action: offers[0].action };
  session.refresh = async () => {};  // as if the stream were late
  const { seq } = await session.api.call("act", { path: { game: session.id }, body });
  delete session.refresh;
  await table.act(offers.at(-1));
  return seq;
}"""
REFUSE_ONCE: Final = """() => {
  const { fetch } = window;
  window.refusals = 0;
  window.fetch = async (address, options) => {
    if (window.refusals || !String(address).endsWith("/actions")) return fetch(address, options);
    window.refusals += 1;
    const problem = { status: 429, code: "rate-limited", detail: "Too many." };
    return new Response(JSON.stringify(problem), { status: 429, headers: { "Retry-After": "1" } });
  };
}"""
VERDICT: Final = """() => {
  const text = (selector) => document.querySelector(selector)?.textContent ?? "";
  return { heading: text("#verdict h2"), problem: text("#verdict .problem") };
}"""


class Fox(Player[Firefox]):
    """A person with Firefox."""

    def sit_down(self, slug: str, table: ShortTable | None = None) -> str:
        """Create a game with a new account, give its key to the page, and open the table."""
        table = table or SHORT_TABLES[slug]
        new = {"rules": slug, "seats": table.seats, "options": dict(table.options)}
        key = self.served.post("/guests", {})["secret"]
        game: str = self.served.post("/games", new, key)["id"]
        self.page.goto(f"{self.served.url}/verify")
        self.page.evaluate("(key) => localStorage.setItem('tabularium.key', key)", key)
        self.open(game)
        self.until_my_turn()
        return game

    def until_noticed(self, text: str) -> None:
        """Wait until the page has said this, since it was listened to."""
        self.until(lambda _: any(text in said for said in self.page.evaluate("() => notices")))

    def own_entries_after(self, game: str, seq: int) -> int:
        """How many entries of the first seat are later."""
        log = self.served.ask(f"/games/{game}/log?after={seq}&limit=200")["items"]
        return [entry["seat"] for entry in log].count(0)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """A browser without a window."""
    path = require_firefox()
    with firefox.running(path, tmp_path_factory.mktemp("firefox") / "profile") as browser:
        yield browser


@pytest.fixture
def fox(browser: Firefox, served: Served) -> Iterator[Fox]:
    """A person whose pages complain of nothing."""
    browser.complaints(served.url)
    yield Fox(browser, served)
    assert browser.complaints(served.url) == []


@pytest.mark.parametrize("slug", ENGINES)
def test_a_whole_game_by_keyboard(slug: str, fox: Fox) -> None:
    game = fox.sit_down(slug)
    decisions = 0
    while fox.until_my_turn()["phase"] == "playing":
        fox.act_by_keyboard(by_picture=decisions < PICTURED)
        decisions += 1
    assert decisions
    assert fox.served.ask(f"/games/{game}")["phase"] == "over"


def test_a_stale_choice(fox: Fox) -> None:
    game = fox.sit_down("law_of_the_dice", LONG_DICE)
    fox.page.evaluate(LISTEN)
    elsewhere = fox.page.evaluate(ACT_ELSEWHERE_AND_HERE)
    fox.until_noticed("The table has changed")
    assert fox.own_entries_after(game, elsewhere - 1) == 1


def test_an_illegal_action(fox: Fox) -> None:
    fox.sit_down("law_of_the_dice", LONG_DICE)
    before = fox.state()["seq"]
    fox.page.evaluate(
        """() => {
          const table = document.querySelector("tabularium-table");
          return table.act({ action: { type: "nothing.like_this" }, label: "" });
        }"""
    )
    assert fox.state()["notice"]
    assert fox.state()["seq"] == before


def test_too_many_requests(fox: Fox) -> None:
    fox.sit_down("law_of_the_dice", LONG_DICE)
    before = fox.state()
    fox.page.evaluate(REFUSE_ONCE)
    fox.page.evaluate(ACT)
    fox.until_my_turn(before["token"])
    assert fox.page.evaluate("() => refusals") == 1


def test_a_revoked_key(fox: Fox) -> None:
    fox.sit_down("law_of_the_dice", LONG_DICE)
    fox.page.evaluate(LISTEN)
    fox.page.evaluate("() => localStorage.setItem('tabularium.key', 'tab_0_0')")
    fox.page.evaluate(ACT)
    fox.until_noticed("This browser's key is no longer valid.")


def test_a_cut_network(fox: Fox) -> None:
    game = fox.sit_down("law_of_the_dice", LONG_DICE)
    before = fox.state()
    with fox.page.offline():
        fox.page.evaluate(f"() => void ({ACT})()")
        fox.page.wait_for_timeout(100)
        assert fox.own_entries_after(game, before["seq"]) == 0
    fox.until_my_turn(before["token"])
    assert fox.own_entries_after(game, before["seq"]) == 1


def test_a_breach_of_the_policy_is_heard(browser: Firefox, served: Served) -> None:
    browser.goto(f"{served.url}/verify")
    browser.complaints(served.url)
    refusal = browser.evaluate(
        """() => {
          const script = document.createElement("script");
          try { script.textContent = "1"; } catch (problem) { return problem.message; }
        }"""
    )
    assert "blocked by CSP" in refusal
    heard: list[str] = []

    def is_heard() -> bool:
        heard.extend(browser.complaints(served.url))
        return bool(heard)

    assert soon(is_heard), "the page's process tells it to the browser's"
    assert "Content-Security-Policy" in heard[0]


@pytest.fixture
def verdict(fox: Fox, tmp_path: Path) -> Any:
    """The verdict of the page on lines in a file of this name."""
    fox.page.goto(f"{fox.served.url}/verify")

    def choose(name: str, lines: list[bytes]) -> Any:
        file = tmp_path / f"{name}.ndjson"
        file.write_bytes(b"".join(lines))
        fox.page.choose_file("#file", file)
        end = monotonic() + PATIENCE
        while monotonic() < end:
            shown = fox.page.evaluate(VERDICT)
            if file.name in shown["heading"]:
                return shown
            fox.page.wait_for_timeout(10)
        raise AssertionError(f"no verdict on {file.name}")

    return choose


def test_a_true_export_is_good(verdict: Any) -> None:
    assert verdict("true", true_export()) == {"heading": "true.ndjson is good", "problem": ""}


def test_every_forgery_is_refused_with_its_name(verdict: Any) -> None:
    found = {name: verdict(name, forge()) for name, (forge, _) in FORGERIES.items()}
    assert all(shown["heading"].startswith("REFUSED: ") for shown in found.values())
    wrong = {
        name: found[name]["problem"]
        for name, (_, words) in FORGERIES.items()
        if words not in found[name]["problem"]
    }
    assert wrong == {}
