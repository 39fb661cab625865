"""How a picture fits into its board, in Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.pages_alone import HERE, MODULE, PagesAlone
from tests.support.databases import is_on_server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
SHOW = """async ([modules, drawn]) => {
  await import(modules + "table.js");
  const { pictureOf } = await import(modules + "picture.js");
  const table = document.createElement("tabularium-table");
  table.connectedCallback = table.disconnectedCallback = () => {};
  const style = document.createElement("link");
  const loaded = new Promise((resolve) => (style.onload = resolve));
  Object.assign(style, { rel: "stylesheet", href: modules + "table.css" });
  const main = document.getElementById("main");
  Object.assign(main.style, { width: "800px", padding: "0" });
  main.replaceChildren(style, table.board);
  await loaded;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${drawn} 400"></svg>`;
  table.board.show(pictureOf(svg), [], []);
  const { width } = table.board.firstElementChild.getBoundingClientRect();
  return [width, table.board.scrollWidth > table.board.clientWidth];
}"""


@pytest.mark.parametrize(
    ("drawn", "shown", "scrolls"), [(400, 800, False), (1600, 800, False), (3000, 1500, True)]
)
def test_letters_are_at_least_half_as_large_as_drawn(
    page: Page, drawn: int, shown: int, scrolls: bool
) -> None:
    PagesAlone(page)
    page.goto(f"{HERE}/verify")
    page.locator("#file").wait_for()
    assert page.evaluate(SHOW, [MODULE, drawn]) == [shown, scrolls]
