"""axe-core finds nothing on the pages, and none of them scrolls sideways."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tabularium_engines.installed.registry import ENGINES
from tests.browser.browsing import Complaints
from tests.browser.playing import Person
from tests.browser.test_analysis import REVIEW
from tests.support.databases import is_on_server
from tests.support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
AXE: Final = Path(__file__).with_name("axe.min.js").read_text(encoding="utf-8")
VIOLATIONS: Final = """async () => {
  const table = document.querySelector("tabularium-table");
  const board = table?.board;
  await table?.go(table.seq); // drawn in the shape that fits
  // axe joins the texts of a thing without spaces, so this rule is checked here
  const rules = { "label-content-name-mismatch": { enabled: !board } };
  // and no style sheet is fetched again for the rule that looks for a locked orientation
  const wanted = { resultTypes: ["violations"], rules, preload: false };
  const { violations } = await axe.run(wanted);
  const things = [...(board?.querySelectorAll("[role=button]") ?? [])];
  const isUnsaid = (thing) => [...thing.querySelectorAll("text")].some(
    (text) => !thing.getAttribute("aria-label").includes(text.textContent.trim()));
  return [
    ...violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]),
    ...things.filter(isUnsaid).map((thing) => ["unsaid", thing.outerHTML]),
  ];
}"""
NO_MEDIA: Final = {"color_scheme": "light", "forced_colors": "none"}
SLUG: Final = next(iter(ENGINES))
LOOKS: Final[dict[str, tuple[int, int, Any]]] = {  # width, height and media; zoomed to 200 %
    "light": (1280, 900, {"color_scheme": "light"}),
    "dark": (1280, 900, {"color_scheme": "dark"}),
    "forced": (1280, 900, {"forced_colors": "active"}),
    "zoomed": (640, 450, {"color_scheme": "light"}),
    "phone": (390, 844, {"color_scheme": "light"}),
    "narrow": (320, 640, {"color_scheme": "dark"}),
}


class Visitor(Person):
    """A person whose pages are checked."""

    def open_page(self, address: str) -> None:
        """Open a page, and wait until it is filled."""
        self.page.goto(self.served.url + address)
        self.page.locator("main:not([aria-busy]) h1").first.wait_for()

    def show(self, address: str) -> None:
        """Open a page and check it."""
        self.open_page(address)
        self.check()

    def play_now(self, slug: str = SLUG) -> str:
        """Begin a game from the first page, against a bot: the game."""
        self.open_page("/")
        self.press_button(f"Play {ENGINES[slug].about.title}")
        self.page.wait_for_url("**/t/*")
        self.until_drawn()
        return self.page.url.rpartition("/")[2]

    def look_at_the_first_entry(self) -> None:
        """Show the position that the game began with."""
        self.press_button("First entry")
        self.page.get_by_text("You look at an earlier position.").wait_for()

    def until_drawn(self) -> None:
        """Wait until the table has its picture and its panels."""
        self.until(lambda state: state["drawn"])
        self.page.get_by_role("button", name="Check fairness here").wait_for()

    def check(self) -> None:
        """Assert that axe finds nothing in any look, and that everything is as wide as the window
        at most. The page changes its look, which is faster than opening it anew for each."""
        found = {look: self.faults_in(*LOOKS[look]) for look in LOOKS}
        assert not {look: faults for look, faults in found.items() if faults}

    def faults_in(self, width: int, height: int, media: Any) -> list[Any]:
        """The faults of the page in one look."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(**(NO_MEDIA | media))
        faults = self.violations()
        overflow = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        return [*faults, *([] if overflow <= 0 else [["overflow", overflow]])]

    def violations(self) -> list[list[str]]:
        """All that axe finds on the page: rules, and the elements that break them."""
        found: list[list[str]] = self.page.evaluate(VIOLATIONS)
        return found


@pytest.fixture
def visitor(new_page: Callable[..., Page], served: Served) -> Visitor:
    """A person at a screen of two dots a pixel. An init script is not subject to the policy."""
    page = new_page(device_scale_factor=2)
    page.add_init_script(AXE)
    return Visitor(page, served)


@pytest.mark.lane("smoke")
def test_from_the_first_page_to_the_badge(visitor: Visitor, complaints: Complaints) -> None:
    """A first visit: a game, three actions by keyboard, its end, its replay and its verification;
    axe and the policy have nothing against any of these pages."""
    complaints.expect("/record")  # the server does not sign its record
    visitor.open_page("/")
    assert not visitor.violations()
    visitor.play_now()
    for _ in range(3):
        visitor.until_my_turn()
        visitor.act_by_keyboard(by_picture=True)
    assert not visitor.violations()
    visitor.resign()
    visitor.look_at_the_first_entry()
    visitor.check_fairness()
    assert not visitor.violations()


def test_all_pages_are_accessible(visitor: Visitor, complaints: Complaints) -> None:
    complaints.expect("status of 4")
    game = visitor.play_now()
    check_tables(visitor, game)
    check_pages(visitor)
    address = check_forms(visitor)
    check_account(visitor)
    visitor.page.evaluate("localStorage.clear()")
    for each in ("/me", address):
        visitor.show(each)


@pytest.mark.parametrize("slug", [slug for slug in ENGINES if slug != SLUG])
def test_so_are_the_tables_of_the_other_games(
    slug: str, visitor: Visitor, complaints: Complaints
) -> None:
    """At the beginning, after some actions, and at the end, with all that can be unfolded."""
    complaints.expect("status of 409")  # others may act first
    visitor.play_now(slug)
    for name in ("The table in words", "Settings"):
        visitor.page.get_by_text(name, exact=True).click()
    visitor.check()
    for _ in range(3):
        visitor.until_my_turn()
        visitor.act_by_list()
    visitor.check()
    visitor.resign()
    visitor.check()


def check_tables(visitor: Visitor, game: str) -> None:
    """A table while it is played, at its end with its analysis, in a replay, and elsewhere."""
    visitor.check()
    check_that_axe_sees_the_shadow(visitor)
    analysis = {"id": "analysis_1", "state": "done", "progress": None, "review": REVIEW}
    visitor.page.route("**/analyses", lambda route: route.fulfill(json=analysis))
    visitor.resign()
    visitor.press_button("Analyse the game")
    visitor.page.get_by_role("heading", name="The costliest decisions").wait_for()
    visitor.check_fairness()
    visitor.check()
    visitor.look_at_the_first_entry()
    visitor.check()
    visitor.page.goto(f"{visitor.served.url}/embed/{game}")
    visitor.until_drawn()
    visitor.check()
    visitor.page.goto(f"{visitor.served.url}/verify#{game}")
    visitor.page.locator(".checks li").first.wait_for()
    visitor.check()


def check_that_axe_sees_the_shadow(visitor: Visitor) -> None:
    """A button without a name in the table is found."""
    put = """() => {
      const button = document.createElement("button");
      document.querySelector("tabularium-table").shadowRoot.querySelector(".menu").append(button);
    }"""
    visitor.page.evaluate(put)
    assert [rule for rule, *_ in visitor.violations()] == ["button-name"]
    visitor.page.locator(".menu > button").evaluate("(button) => button.remove()")


def check_pages(visitor: Visitor) -> None:
    """The pages without a table."""
    key = visitor.page.evaluate("localStorage.getItem('tabularium.key')")
    account = visitor.served.ask("/me", key)["id"]
    for address in ("/", f"/rules/{SLUG}", f"/ratings/{SLUG}", f"/players/{account}", "/record"):
        visitor.show(address)
    for address in ("/guides", "/guides/fairness", "/players/none", "/nowhere"):
        visitor.show(address)


def check_forms(visitor: Visitor) -> str:
    """A form, as it is, with errors and with links: the address of such a link."""
    visitor.show(f"/new/{SLUG}")
    page = visitor.page
    page.get_by_label("Seat 1", exact=True).select_option("invite")
    page.get_by_label("Points to win").fill("22")
    visitor.press_button("Create the game")
    page.locator(".error").wait_for()
    visitor.check()
    page.get_by_label("Points to win").fill("2")
    visitor.press_button("Create the game")
    link = page.get_by_label("Link for seat 1", exact=True)
    link.wait_for()
    visitor.check()
    return link.input_value().removeprefix(visitor.served.url)


def check_account(visitor: Visitor) -> None:
    """The account, with a code for another device."""
    visitor.page.goto(f"{visitor.served.url}/me")
    visitor.press_button("Show a code")
    visitor.page.locator(".code").wait_for()
    visitor.check()
