"""A person at a table of the pages, who chooses by keyboard or from the list."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from tests.clients.short_tables import SHORT_TABLES, ShortTable
from tests.config.processes import PATIENCE
from tests.support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST_TABS: Final = 60  # presses of Tab through a whole table
FOCUS: Final = """() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused ? {
    mark: focused.dataset?.pick ?? null, isOffer: focused.matches(".offers button"),
    isPicked: focused.getAttribute("aria-pressed") === "true",
    name: focused.getAttribute("aria-label") ?? focused.textContent,
  } : null;
}"""
STATE: Final = """() => {
  const table = document.querySelector("tabularium-table");
  const { game, choice } = table?.session ?? {};
  if (!game) return null;
  return {
    seq: game.seq, phase: game.phase,
    token: choice?.token ?? null, offers: choice?.offers.length ?? 0,
    isAwaited: choice?.is_awaited ?? false,
    lit: table.board.querySelectorAll(".live").length, drawn: table.text !== "",
    last: choice?.offers.at(-1)?.label,
    listed: table.offers.list.childElementCount, isOpen: table.offers.element.open,
    notice: table.notice.textContent,
  };
}"""
LISTED: Final = """() => {
  const { shadowRoot } = document.querySelector("tabularium-table");
  return shadowRoot.querySelectorAll(".offers button").length;
}"""


def is_offer(focused: Any) -> bool:
    """Whether the focus is on an action of the list."""
    return bool(focused["isOffer"])


class Keys(Protocol):
    """A keyboard."""

    def press(self, key: str) -> None:
        """Press a key."""

    def type(self, text: str) -> None:
        """Type a text."""


class AnyPage(Protocol):
    """A page of any browser."""

    @property
    def keyboard(self) -> Keys:
        """Its keyboard."""

    def goto(self, url: str) -> object:
        """Open an address."""

    def evaluate(self, expression: str, arg: Any = None) -> Any:
        """The result of a function in the page."""

    def wait_for_timeout(self, timeout: float) -> None:
        """Wait as many milliseconds."""


P = TypeVar("P", bound=AnyPage)


class Player(Generic[P]):
    """Plays with the keyboard, in any browser."""

    def __init__(self, page: P, served: Served) -> None:
        self.page, self.served = page, served

    def open(self, game: str, fragment: str = "") -> None:
        """Open the table of a game, and wait until it is shown."""
        self.page.goto(f"{self.served.url}/t/{game}{fragment}")
        self.until(lambda state: state["seq"] > 0)

    def state(self) -> Any:
        """The state of the game that the table knows."""
        return self.page.evaluate(STATE)

    def until(self, holds: Callable[[Any], bool]) -> Any:
        """Wait until the table knows something. A page with its policy runs no code of tests by
        itself, so it is asked again and again."""
        end = monotonic() + PATIENCE
        while monotonic() < end:
            state = self.state()
            if state and holds(state):
                return state
            self.page.wait_for_timeout(10)
        raise AssertionError(f"the table stays as it is: {self.state()}")

    def until_after(self, seq: int) -> Any:
        """Wait until the table knows a later entry."""
        return self.until(lambda state: state["seq"] > seq)

    def until_my_turn(self, before: str | None = None) -> Any:
        """Wait until the table waits for another choice, or the game is over."""
        return self.until(
            lambda state: (
                state["phase"] == "over" or (state["token"] != before and state["isAwaited"])
            )
        )

    # -- the keyboard ------------------------------------------------------------------------------

    def press(self, *keys: str) -> None:
        """Press keys."""
        for key in keys:
            self.page.keyboard.press(key)

    def focused(self) -> Any:
        """The thing or button that has the focus."""
        return self.page.evaluate(FOCUS)

    def tab_to(self, is_there: Callable[[Any], bool], token: str) -> bool:
        """Press Tab until the focus is there; False if the choice passes first, such as by the
        action of another seat, with which its list may go."""
        for _ in range(MOST_TABS):
            focused = self.focused()
            if self.state()["token"] != token:
                return False
            if focused and is_there(focused):
                return True
            self.press("Tab")
        raise AssertionError(f"Tab does not reach it, but {self.focused()}; {self.state()}")

    def act_by_keyboard(self, *, by_picture: bool) -> None:
        """Choose an action with the keyboard alone: in the picture where it can be, or else the
        last one in the list of those that are left, which makes games short."""
        before = self.state()
        token = before["token"]
        first = self.tab_to(
            lambda focused: is_offer(focused) or (by_picture and focused["mark"]), token
        )
        if first and (is_offer(self.focused()) or not self.is_picked_to_the_end()):
            self.act_in_the_list(before)
        self.until_my_turn(token)

    def act_in_the_list(self, before: Any) -> None:
        """Do the last action of the list, and search for it if the list is too long."""
        if not self.tab_to(is_offer, before["token"]):
            return
        if before["listed"] < before["offers"]:
            self.press("Escape", "/", "Control+A")
            self.page.keyboard.type(before["last"])
            if not self.tab_to(is_offer, before["token"]):
                return
        self.press("End", "Enter")

    def is_picked_to_the_end(self) -> bool:
        """Pick things in the picture until one action is left, and do that by the last of them
        once more; False if several are left."""
        self.press("Enter")
        for arrow in ("ArrowRight", "ArrowUp", "ArrowDown", "ArrowLeft"):
            if self.left() == 1:
                break
            mark = self.focused()["mark"]
            self.press(arrow)
            if self.focused()["mark"] != mark:
                self.press("Enter")
        if self.left() == 1 and self.is_picked():
            self.press("Enter")
            return True
        return False

    def left(self) -> int:
        """How many actions the list shows."""
        count: int = self.page.evaluate(LISTED)
        return count

    def is_picked(self) -> bool:
        """Whether the thing with the focus is picked."""
        return bool(self.focused()["isPicked"])

    # -- without a press ---------------------------------------------------------------------------

    def act(self, kind: str) -> None:
        """Do an action of this kind, or else the last one, without a press."""
        self.page.evaluate(
            """(kind) => {
              const table = document.querySelector("tabularium-table");
              const { offers } = table.session.choice;
              const isWanted = ({ action }) => action.type.endsWith(`.${kind}`);
              return table.act(offers.find(isWanted) ?? offers.at(-1));
            }""",
            kind,
        )


class Person(Player["Page"]):
    """A person with a page of Chromium, and an account of this browser."""

    def __init__(self, page: Page, served: Served) -> None:
        super().__init__(page, served)

    def sit_down(self, slug: str, table: ShortTable | None = None, **more: Any) -> str:
        """Create a game through the page's own modules, and open its table; against bots, one of
        which may begin, wait for the own turn."""
        table = table or SHORT_TABLES[slug]
        new = {"rules": slug, "seats": table.seats, "options": dict(table.options), **more}
        self.page.goto(f"{self.served.url}/verify")
        game: str = self.page.evaluate(
            """async (body) => {
              const assets = document.querySelector('link[href$="page.css"]').href;
              const { api, ensureAccount } = await import(new URL("account.js", assets));
              await ensureAccount();
              return (await api.call("createGame", { body })).id;
            }""",
            new,
        )
        self.open(game)
        if "seats" not in more:
            self.until_my_turn()
        return game

    def status(self) -> str:
        """The sentence about where the game stands."""
        return self.page.locator(".status").inner_text()

    # -- the menu ----------------------------------------------------------------------------------

    def press_button(self, name: str) -> None:
        """Press a button."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def resign(self) -> Any:
        """Resign, and wait until the game is over: its state then."""
        for name in ("Resign", "Really? Press again."):
            self.press_button(name)
        return self.until(lambda state: state["phase"] == "over")

    def check_fairness(self) -> None:
        """Have the game verified, and wait for the badge."""
        self.press_button("Check fairness here")
        self.page.get_by_text("Checked here").wait_for()

    # -- the list ----------------------------------------------------------------------------------

    def act_by_list(self) -> None:
        """Press the last action of the list, and search for it if the list is too long."""
        before = self.state()
        if before["listed"] < before["offers"]:
            self.page.get_by_role("searchbox", name="Search your actions").fill(before["last"])
        self.page.locator(".offers button").last.click()
        self.until_my_turn(before["token"])
