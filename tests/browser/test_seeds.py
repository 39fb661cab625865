"""A game whose players bring seeds of their own, set up and joined from the pages alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.browsing import Complaints
from tests.browser.playing import Person
from tests.support.databases import is_on_server
from tests.support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
RULES: Final = "law_of_the_dice"


def set_up(person: Person, second: str, **more: str) -> None:
    """Create a game with a seed of one's own from its form, for another person on seat 1."""
    page = person.page
    page.goto(f"{person.served.url}/new/{RULES}")
    page.get_by_label("Seat 1", exact=True).select_option(second)
    for label, value in more.items():
        page.get_by_label(label.replace("_", " ")).select_option(value)
    page.get_by_label("Bring a seed of your own").check()
    page.get_by_role("button", name="Create the game").click()


def until_playing(*people: Person) -> list[Any]:
    """The states of the tables of these people, once the game has begun."""
    for person in people:
        person.page.wait_for_url("**/t/*")
        person.until(lambda state: state["phase"] == "playing" and state["drawn"])
    return [person.state() for person in people]


def level(person: Person) -> Any:
    """The level of fairness with which the game started, as the page reads its log."""
    return person.page.evaluate(
        """() => document.querySelector("tabularium-table").session.entries
          .find((entry) => entry.action.type === "table.start").action.level"""
    )


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_an_invited_friend_brings_a_seed(
    new_page: Callable[..., Page], served: Served, complaints: Complaints, visibility: str
) -> None:
    """The host opens the table after the friend has joined, whose browser has waited. That no page
    complains shows, besides, that no table asks for its picture before the start."""
    if visibility == "private":
        complaints.expect("status of 404")  # before joining it is not seen
    ada, bob = Person(new_page(), served), Person(new_page(), served)
    set_up(ada, "invite", Who_may_watch=visibility)
    link = ada.page.get_by_label("Link for seat 1", exact=True).input_value()
    bob.page.goto(link)
    bob.page.get_by_role("button", name="Join the game").click()
    bob.page.wait_for_url("**/t/*")
    bob.until(lambda state: state["phase"] == "gathering")
    ada.page.get_by_role("link", name="Go to the table").click()
    until_playing(ada, bob)
    assert level(ada) == level(bob) == 2


def test_a_guest_of_the_first_page_brings_a_seed(
    new_page: Callable[..., Page], served: Served
) -> None:
    ada, bob = Person(new_page(), served), Person(new_page(), served)
    set_up(ada, "open")
    ada.page.wait_for_url("**/t/*")
    ada.until(lambda state: state["phase"] == "gathering")
    game = ada.page.url.rpartition("/")[2]
    bob.page.goto(served.url)
    bob.page.locator(f"#join-{game}").click()
    until_playing(ada, bob)
    assert level(bob) == 2


def test_a_game_against_a_bot_begins_with_an_own_seed(
    new_page: Callable[..., Page], served: Served
) -> None:
    ada = Person(new_page(), served)
    set_up(ada, "bot:random")
    until_playing(ada)
    assert level(ada) == 2


def test_without_seeds_none_is_asked_for(new_page: Callable[..., Page], served: Served) -> None:
    ada, bob = Person(new_page(), served), Person(new_page(), served)
    game = ada.sit_down(RULES, seats=[{"kind": "me"}, {"kind": "open"}])
    bob.page.goto(served.url)
    bob.page.locator(f"#join-{game}").click()
    until_playing(ada, bob)
    assert level(bob) == 1
    assert bob.page.evaluate('() => localStorage.getItem("tabularium.seeds")') is None
