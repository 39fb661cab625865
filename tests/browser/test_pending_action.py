"""An action in Chromium while the reply to another one is on its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.playing import Person
from tests.clients.short_tables import ShortTable
from tests.support.databases import is_on_server
from tests.support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Page, Route

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]


@pytest.fixture
def person(page: Page, served: Served) -> Person:
    """A person at a table against a bot."""
    person = Person(page, served)
    person.sit_down("duality", ShortTable({}, "random"))
    return person


def test_a_late_reply(person: Person) -> None:
    """The stream may bring the next choice before the reply to the last action is there: the
    next action is done all the same, and a thing that was picked for it stays."""
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    person.page.route("**/actions", hold)
    person.page.evaluate(
        """() => {
          const { session } = document.querySelector("tabularium-table");
          const { act } = session;
          window.acted = [];
          session.act = (...answer) => {
            acted.push(act.apply(session, answer));
            return acted.at(-1);
          };
        }"""
    )
    for _ in range(2):
        person.act_by_list()
    [(route, response)] = held
    person.page.locator("tabularium-board .live").first.click()
    picked = person.page.locator('tabularium-board [aria-pressed="true"]')
    picked.wait_for()
    route.fulfill(response=response)
    assert len(person.page.evaluate("Promise.all(acted)")) == 2
    assert picked.count() == 1


def test_the_same_action_again_before_the_reply(person: Person) -> None:
    """A list of equal actions keeps its buttons: each press comes to the table."""
    acted = person.page.evaluate(
        """async () => {
          const { offers } = document.querySelector("tabularium-table");
          const acted = [];
          const act = ({ label }) => {
            acted.push(label);
            return new Promise(() => {});
          };
          offers.table = { ...offers.table, act };
          const button = offers.list.querySelector("button");
          button.click();
          await new Promise(setTimeout);
          button.click();
          return acted;
        }"""
    )
    assert acted == [person.page.locator(".offers button").first.inner_text()] * 2


def test_a_choice_is_answered_once(person: Person) -> None:
    """However often its button is pressed until the reply is there; meanwhile it looks busy."""
    asked = []
    person.page.on("request", lambda request: asked.append(request.method))
    token = person.state()["token"]
    busy = person.page.evaluate(
        """() => {
          const { offers } = document.querySelector("tabularium-table");
          const button = offers.list.querySelector("button");
          for (let times = 0; times < 3; times += 1) button.click();
          return offers.element.getAttribute("aria-busy");
        }"""
    )
    assert busy == "true"
    person.until_my_turn(token)
    assert asked.count("POST") == 1
    assert person.page.locator(".choice").get_attribute("aria-busy") == "false"
