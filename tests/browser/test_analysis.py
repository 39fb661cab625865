"""Analyses, thoughts and hints in Chromium, with answers as the API gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.pages_alone import HERE, PagesAlone
from tests.support.databases import is_on_server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
GAME: Final = f"game_{'0' * 32}"
SEATS: Final = [
    {"seat": 0, "title": "North", "name": "<b>Ada</b>", "bot": None, "is_you": False},
    {"seat": 1, "title": "South", "name": None, "bot": "greedy", "is_you": False},
]


@pytest.fixture
def pages(page: Page) -> PagesAlone:
    """A page of a person with an account."""
    page.add_init_script("localStorage.setItem('tabularium.key', 'tab_key')")
    pages = PagesAlone(page)
    page.goto(f"{HERE}/verify")
    page.locator("#file").wait_for()
    return pages


def decision(entry: int, value: int | None, best: int | None) -> dict[str, Any]:
    """A decision as a review has it."""
    loss = None if value is None or best is None else best - value
    made = {"seq": entry - 1, "entry": entry, "seat": entry % 2, "label": f"Play {entry}"}
    return made | {"value": value, "best_value": best, "best_label": f"Best {entry}", "loss": loss}


DECISIONS: Final = [
    *(decision(entry, 500 - 10 * entry, 500) for entry in range(5, 12)),
    decision(12, 600, 600),
    decision(13, None, None),
]
REVIEW: Final = {
    "is_partial": False,
    "decisions": DECISIONS,
    "seats": [{"seat": seat, "compared": 4, "mean_loss": 80} for seat in (0, 1)],
}


def analysed(pages: PagesAlone, **review: Any) -> Any:
    """The panel of a game after its analysis, which the server first lets it wait for."""
    waiting = {"id": "analysis_1", "state": "waiting", "progress": {"done": 3, "of": 9}}
    done = {"id": "analysis_1", "state": "done", "progress": None, "review": {**REVIEW, **review}}
    replies = iter([waiting, done])
    pages.answers |= {
        f"POST /games/{GAME}/analyses": lambda: waiting,
        "GET /analyses/analysis_1": lambda: next(replies),
    }
    panel = pages.put("analysisPanel", "analysis.js", game=GAME, seats=SEATS, over=True)
    panel.get_by_role("button", name="Analyse the game").click()
    panel.get_by_role("heading", name="The costliest decisions").wait_for()
    return panel


def calls(pages: PagesAlone) -> Any:
    """The positions and actions that the panel has asked its table for."""
    return pages.page.evaluate("window.calls")


def test_the_costliest_decisions_lead_to_their_positions(pages: PagesAlone) -> None:
    panel = analysed(pages)
    costly = panel.locator("ol button")
    assert costly.count() == 5
    assert costly.first.inner_text() == (
        "Entry 11, South, bot greedy: played Play 11 (390), best Best 11 (500)"
    )
    assert "North, <b>Ada</b>" in costly.nth(1).inner_text()  # a name is text
    costly.first.click()
    assert calls(pages) == [10]
    assert pages.asked.count(f"POST /games/{GAME}/analyses") == 1
    assert "uncalibrated" in panel.inner_text()


def test_the_points_of_the_graph_are_reached_by_keyboard_and_nearby(pages: PagesAlone) -> None:
    panel = analysed(pages)
    points = panel.locator("svg [role=button]")
    assert points.count() == 8  # one decision has no value
    assert panel.locator("svg [tabindex='0']").count() == 1
    panel.locator("svg [tabindex='0']").focus()
    for key in ("ArrowLeft", "Enter", "Home", " ", "End", "ArrowRight", "Enter"):
        pages.page.keyboard.press(key)
    assert calls(pages) == [10, 4, 11]
    assert points.first.get_attribute("aria-label") == "South, bot greedy, entry 5: 500"
    panel.locator("svg").click(position={"x": 4, "y": 4})
    assert calls(pages) == [10, 4, 11, 4]


def test_a_review_without_losses_says_so(pages: PagesAlone) -> None:
    assert "Nothing was better" in analysed(pages, decisions=[decision(5, 9, 9)]).inner_text()
    panel = analysed(pages, decisions=[decision(5, None, None)], is_partial=True)
    assert "No decision could be compared" in panel.inner_text()
    assert panel.locator("svg").count() == 0
    assert panel.get_by_role("button", name="Ask again").is_visible()


def test_the_thoughts_of_a_bot_are_a_table(pages: PagesAlone) -> None:
    actions = [
        {"label": "Play", "visits": 30, "value": 400},
        {"label": "Pass", "visits": None, "value": None},
    ]
    how = {"method": "mcts", "is_same": True, "is_calibrated": False}
    findings = {**how, "actions": actions, "chosen": actions[1]}
    thought = {"state": "done", "bot": "level_3", "simulations": 200, "findings": findings}
    pages.answers[f"GET /games/{GAME}/log/5/thought"] = lambda: thought
    box = pages.put("thoughtBox", "analysis.js", game=GAME, seq=5)
    box.get_by_role("button").click()
    rows = box.get_by_role("row")
    rows.nth(2).wait_for()
    assert rows.all_inner_texts() == [
        "Action\tValue\tVisits",
        "Play\t400\t30",
        "Pass ✓ chosen\t–\t–",
    ]
    assert box.get_by_role("button").count() == 0


def test_the_actions_of_a_moment_are_compared_with_the_one_that_was_played(
    pages: PagesAlone,
) -> None:
    actions = [
        {"label": f"Play {n}", "value": 900 - n, "visits": 9, "action": {"type": "g.play", "n": n}}
        for n in range(12)
    ]
    done = {"id": "analysis_1", "state": "done", "position": {"actions": actions}}
    pages.answers[f"POST /games/{GAME}/analyses"] = lambda: done
    entry = {"seq": 7, "seat": 1, "action": {"type": "g.play", "n": 11}}
    box = pages.put("positionBox", "analysis.js", game=GAME, seats=SEATS, entry=entry)
    with pages.page.expect_request("**/analyses") as request:
        box.get_by_role("button").click()
    assert request.value.post_data_json == {"seat": 1, "seq": 6}
    box.get_by_text("What South could do").wait_for()
    best = [f"Play {n}" for n in range(10)]
    assert box.locator("tbody th").all_inner_texts() == [*best, "Play 11 ✓ chosen"]
    bars = box.locator("meter")
    assert [bars.nth(n).evaluate("(bar) => bar.value") for n in (0, 9)] == [900, 891]
    assert box.get_by_role("button").count() == 0


def test_a_hint_can_be_taken(pages: PagesAlone) -> None:
    action = {"type": "some_game.play"}
    actions = [{"label": f"Play {n}", "value": n, "visits": 9, "action": action} for n in range(5)]
    done = {"id": "analysis_1", "state": "done", "position": {"actions": actions}}
    pages.answers[f"POST /games/{GAME}/analyses"] = lambda: done
    hint = pages.put("hintButton", "analysis.js", game=GAME, seat=1)
    hint.get_by_role("button", name="Hint", exact=True).click()
    best = hint.locator("ol button")
    best.first.wait_for()
    assert best.all_inner_texts() == [f"Play {n} ({n}, 9 visits)" for n in range(3)]
    best.first.click()
    assert calls(pages) == [action]
