"""A player who hears the page as a screen reader reads it, and knows nothing else of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml

from tabularium_engines.installed.registry import ENGINES
from tests.browser.browsing import Complaints
from tests.browser.playing import Person
from tests.config.processes import soon
from tests.support.databases import is_on_server
from tests.support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
QUOTED: Final = r'"(?:[^"\\]|\\.)*"'
BUTTON: Final = re.compile(f"button ({QUOTED})")
OPTION: Final = re.compile(f"option ({QUOTED})")
ACTIONS: Final = "Your actions"
KINDS: Final = "Type"  # the field of an action that a long list can be narrowed by
CLICK_LAST: Final = "(found) => found.at(-1)?.click()"  # the list may go at any moment


def below(tree: Any, start: str) -> Iterator[str]:
    """All lines below the elements whose own line begins like this."""
    if isinstance(tree, list):
        for part in tree:
            yield from below(part, start)
    elif isinstance(tree, dict):
        for line, part in tree.items():
            yield from lines(part) if line.startswith(start) else below(part, start)


def lines(tree: Any) -> Iterator[str]:
    """All lines of the accessibility tree, each before those below it."""
    if isinstance(tree, list):
        for part in tree:
            yield from lines(part)
    elif isinstance(tree, dict):
        for line, part in tree.items():
            yield line
            yield from lines(part)
    else:
        yield str(tree)


class Listener:
    """Presses the last button of those that are read out as the own actions."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def heard(self) -> Any:
        """The accessibility tree of the page."""
        return yaml.load(self.page.locator("body").aria_snapshot(), yaml.CSafeLoader)

    def play(self) -> None:
        """Play until it is said that the game is over."""
        while not self.is_over(tree := self.heard()):
            self.act(tree)

    def is_over(self, tree: Any) -> bool:
        """Whether the game is said to be over."""
        return any("The game is over." in line for line in lines(tree))

    def act(self, tree: Any) -> None:
        """Do the last action, of the last kind if the list is long, or wait while others act; in
        both cases until something else is read out."""
        if kinds := named(OPTION, below(tree, f'combobox "{KINDS}"')):
            self.page.get_by_role("combobox", name=KINDS).select_option(label=kinds[-1])
            tree = self.heard()
        if actions := named(BUTTON, below(tree, f'list "{ACTIONS}"')):
            self.page.get_by_role("list", name=ACTIONS).get_by_role(
                "button", name=actions[-1], exact=True
            ).evaluate_all(CLICK_LAST)
        assert soon(lambda: self.heard() != tree)


def named(role: re.Pattern[str], tree: Iterator[str]) -> list[str]:
    """The names of elements with this role."""
    return [json.loads(found[1]) for line in tree if (found := role.match(line))]


@pytest.mark.parametrize("slug", ENGINES)
def test_a_whole_game(slug: str, page: Page, served: Served, complaints: Complaints) -> None:
    complaints.expect("status of 409")  # others may act first
    game = Person(page, served).sit_down(slug)
    Listener(page).play()
    assert served.ask(f"/games/{game}")["phase"] == "over"
