"""A table with a thousand offers: the list, its search and the picture go on as with a few."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.playing import Person
from tests.support.databases import is_on_server
from tests.support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
MANY: Final = """() => {
  const table = document.querySelector("tabularium-table");
  const { offers } = table.session.choice;
  const many = Array.from({ length: 1000 }, (_, place) => {
    const { action, label } = offers[place % offers.length];
    return { action: { ...action, place }, label: `${label}, number ${place}` };
  });
  table.session.choice = { ...table.session.choice, offers: many };
  return table.go(null);
}"""


def test_a_thousand_offers(page: Page, served: Served) -> None:
    """A search finds one of them, its choices of fields stay as they are meanwhile, and a pick in
    the picture narrows them."""
    person = Person(page, served)
    person.sit_down("duel_of_law")
    person.until_my_turn()
    page.evaluate(MANY)
    count = page.locator(".choice").get_by_role("status")
    assert count.inner_text() == "1000 actions"
    place = page.locator('select[data-field="place"]')
    place.evaluate("(select) => (select.isTheFirst = true)")
    page.get_by_role("searchbox", name="Search your actions").fill("number 777")
    assert count.inner_text() == "1 of 1000 actions"
    assert page.locator(".offers button").count() == 1
    assert place.evaluate("(select) => select.isTheFirst"), "choices that do not change stay"
    place.select_option("=778")
    assert count.inner_text() == "0 of 1000 actions"
    page.keyboard.press("Escape")
    assert count.inner_text() == "1000 actions"
    page.locator("tabularium-board .live").first.click()
    shown, _, rest = count.inner_text().partition(" ")
    assert 1 < int(shown) < 1000
    assert rest == "of 1000 actions"
