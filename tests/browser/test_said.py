"""An action is said in words at the table: the page shows what the server has understood."""

from __future__ import annotations

from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import pytest

from games import selectors
from games.models import Account
from tests.api.program import Program, program_of
from tests.browser.pages_alone import HERE, PagesAlone
from tests.games.sitting import duel_at_a_question
from tests.support.databases import is_on_server
from tests.web.browser.test_accessibility import AXE, VIOLATIONS

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
    pytest.mark.django_db,
    pytest.mark.usefixtures("allow_queries"),
]
NO_STREAM: Final = 204


def answer(route: Route, program: Program, here: Context) -> None:
    """Let the service answer a call of the page as this program's, on the connection of the test,
    which belongs to its context; there are no streams."""
    request, address = route.request, urlsplit(route.request.url)
    path = f"{address.path}?{address.query}"
    if address.path.endswith("/stream"):
        route.fulfill(status=NO_STREAM)
        return
    if request.method == "POST":
        reply = here.copy().run(program.send, path, request.post_data_json)
    else:
        reply = here.copy().run(program.get, path)
    route.fulfill(status=reply.status_code, headers=dict(reply.items()), body=reply.getvalue())


def test_a_law_is_said(page: Page) -> None:
    """Where laws are not listed: one that the service refuses, and one that it understands, which
    is done when it is confirmed."""
    account = Account.objects.create(name="Ada")
    game, table = duel_at_a_question(account, laws="said")
    known = selectors.seat_choice(table, 0, is_bot=True)
    assert known is not None
    claim = next(offer for offer in known.offers if offer.action["type"] == "duel_of_law.claim")
    sentence = claim.label.partition(": ")[2]
    page.add_init_script(f"{AXE}; localStorage.setItem('tabularium.key', 'tab_key')")
    PagesAlone(page)
    program = program_of(account)
    here = copy_context()
    page.route("**/api/v1/**", lambda route: answer(route, program, here))
    page.goto(f"{HERE}/t/{game}")
    assert sentence not in page.locator(".offers").inner_text()
    words = page.get_by_label("Add the clause that a sentence says")
    words.fill("red or blue")
    words.press("Enter")
    refusal = page.locator(".said .problem")
    refusal.wait_for()
    assert page.evaluate(VIOLATIONS) == []
    words.fill(sentence)
    words.press("Enter")
    page.locator(".bar").get_by_text(sentence).wait_for()
    assert not refusal.is_visible()
    assert selectors.game_projection(game).seq == table.seq
    page.get_by_role("button", name="Do it").press("Enter")
    page.locator(".log").get_by_text(sentence).wait_for()
    assert selectors.game_projection(game).entry.action == claim.action
