"""Two worlds: a table's page is the same, to the last attribute, if only cards that are hidden from
its seat differ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import pytest

from games import position_cache, selectors, services
from games.models import Account
from games.services import SeatAssignment
from tabularium_engines.common.names_svg import seat_look
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tests.api.program import Program, program_of
from tests.api.worlds_alike import worlds_alike
from tests.browser.pages_alone import HERE, MODULE, PagesAlone
from tests.games.sitting import some_action
from tests.support.databases import is_on_server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
    pytest.mark.django_db,
    pytest.mark.usefixtures("allow_queries"),
]
STEPS: Final = (2, 11, 20)  # actions before, or a few more
DOM: Final = """async ([modules, game]) => {
  await import(modules + "table.js");
  const table = document.createElement("tabularium-table");
  table.setAttribute("game", game);
  document.getElementById("main").replaceChildren(table);
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const isLaidOut = table.shadowRoot.querySelector(".table:not([hidden])");
    if (isLaidOut && table.text && table.session.game && table.panels?.element.isConnected) {
      return table.getHTML({ shadowRoots: [table.shadowRoot] });
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(table.notice.textContent);
}"""


class Played:
    """A game of accounts on all seats, at random."""

    def __init__(self, slug: str) -> None:
        self.accounts = [
            Account.objects.create(name=f"Player {seat}")
            for seat in range(ENGINES[slug].about.seats[0])
        ]
        seats = [SeatAssignment(account=account) for account in self.accounts]
        self.game = services.create_game(slug, seats).projection.game
        self.rng = FastRng(5)

    def answer(self, pages: PagesAlone, program: Program, log: Any) -> None:
        """Let the pages have all that the service answers to this player now."""
        address = f"/api/v1/games/{self.game}"
        game = program.get(address).json()
        pages.answers = {
            f"GET /games/{self.game}": lambda: game,
            f"GET /games/{self.game}/log": lambda: log,
            f"GET /games/{self.game}/picture.svg": program.get(f"{address}/picture.svg").content,
            "GET /me/stream": b"",
        }

    def act(self) -> None:
        """Do a random action."""
        table = selectors.game_projection(self.game)
        seat, action = some_action(table, self.rng)
        services.append_action(self.game, seat, action, choice=table.choice_token(seat))

    def worlds(self) -> Iterator[int]:
        """Put the game into two worlds that are alike to seat 0, and into the true one at last."""
        truth = position_cache.current_position(self.game)
        yield from islice(worlds_alike(self.game, 0), 2)
        position_cache.cache.store(truth)

    def witness(self) -> int | None:
        """A seat to which the two worlds differ, if there is one."""
        views = []
        for _ in self.worlds():
            table = selectors.game_projection(self.game)
            seats = range(1, len(self.accounts))
            views.append([table.engine.view(table.state, seat) for seat in seats])
        differing = [
            seat for seat, pair in enumerate(zip(*views, strict=True), 1) if pair[0] != pair[1]
        ]
        return differing[0] if differing else None

    def tables(self, pages: PagesAlone, seat: int) -> list[str]:
        """The pages of a player in the two worlds."""
        program = program_of(self.accounts[seat])
        log = program.get(f"/api/v1/games/{self.game}/log?limit=200").json()
        found = []
        for _ in self.worlds():
            self.answer(pages, program, log)
            found.append(str(pages.page.evaluate(DOM, [MODULE, self.game])))
        return found


@pytest.mark.parametrize("slug", ENGINES)
def test_a_table_shows_nothing_that_is_hidden(slug: str, page: Page) -> None:
    page.add_init_script("localStorage.setItem('tabularium.key', 'tab_key')")
    pages = PagesAlone(page)
    page.goto(f"{HERE}/verify")
    played, step, witness = Played(slug), 0, 0
    for due in STEPS:
        while step < due or (found := played.witness()) is None:
            played.act()
            step += 1
        witness = found
        one, other = played.tables(pages, 0)
        assert one == other
        assert "<svg" in one
        assert seat_look(ENGINES[slug], 0)[0] in one
    one, other = played.tables(pages, witness)
    assert one != other  # it is seen that the worlds differ
