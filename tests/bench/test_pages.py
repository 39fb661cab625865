"""The benchmark of the pages measures them and the static page, at a small size."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from bench.pages import browser_times, budgets, players, static_site, visit
from bench.pages.browser_times import Bench, Both, Games
from tests.support.databases import is_on_server
from tests.support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.lane("browser"),
    pytest.mark.skipif(is_on_server(), reason="a page sees nothing of the store"),
]
POSITIONS, ENTRIES, CLICKS = 6, 12, 2


@pytest.fixture(scope="module")
def games(served: Served) -> Games:
    """Short games."""
    people = [players.new_player(served.url) for _ in range(2)]
    ended = players.play_to_the_end(people, ENTRIES)
    return Games(players.play_positions(people, POSITIONS), ended, ended)


@pytest.fixture(scope="module")
def times(served: Served, chromium: Browser, games: Games) -> Both:
    """All times."""
    return browser_times.measure(chromium, served.url, games, CLICKS)


def test_repetitions_are_added() -> None:
    total = {"first": [1.0]}
    visit.add(total, {"first": [2.0], "reload": [3.0]})
    assert total == {"first": [1.0, 2.0], "reload": [3.0]}


def test_the_games_are_as_long_as_is_said(served: Served, games: Games) -> None:
    replayed, ended = (served.ask(f"/games/{game}") for game in (games.replayed, games.ended))
    assert replayed["seq"] + 1 - replayed["first"] == POSITIONS
    assert replayed["phase"] == "playing"
    assert (ended["phase"], ended["seq"]) == ("over", ENTRIES)


def test_every_budget_is_measured(times: Both) -> None:
    ours, theirs = times
    rows = budgets.rows(ours, theirs)
    assert len(rows) == len(budgets.BUDGETS) == len(ours)
    assert all(value > 0 for values in [*ours.values(), *theirs.values()] for value in values)
    assert [row.name for row in rows if not row.ratio] == [
        budgets.BUDGETS[name].name for name in ("assets", "calls", "smallest")
    ]


def test_an_action_is_answered_before_it_is_shown(times: Both) -> None:
    for each in times:
        assert len(each["clicked"]) == CLICKS
        pairs = zip(each["answered"], each["clicked"], strict=True)
        assert all(answered < clicked for answered, clicked in pairs)


def test_the_static_page_shows_the_same(served: Served, chromium: Browser, games: Games) -> None:
    files = browser_times.static_files(served.url, games)
    assert len(files["replay.ndjson"].splitlines()) == POSITIONS
    with static_site.serve(files) as static_url:
        bench = Bench(chromium, served.url, static_url, games)
        with bench.window() as page:
            page.goto(static_url)
            assert page.evaluate("firstPicture") > 0
            theirs = page.locator("svg > title").first.text_content()
        with bench.window() as page:
            bench.table(page, games.replayed)
            assert page.locator("tabularium-board svg > title").first.text_content() == theirs


def test_a_static_site_has_its_files_alone() -> None:
    with static_site.serve({"picture.svg": b"<svg/>"}) as url:
        with urlopen(f"{url}picture.svg?1") as response:
            assert response.headers["Content-Type"] == "image/svg+xml"
            assert response.read() == b"<svg/>"
        with urlopen(f"{url}actions", b"{}") as response:
            assert json.load(response) == {}
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{url}other.svg")


@pytest.mark.parametrize(
    ("name", "value", "is_met"),
    [
        ("reload", 500.0, True),
        ("reload", 500.1, False),
        ("painted", 30.0, True),
        ("painted", 29.9, False),
        ("first", 9000.0, None),
    ],
)
def test_a_budget_is_met_or_not(name: str, value: float, is_met: bool | None) -> None:
    measured = {each: [1.0] for each in budgets.BUDGETS} | {name: [1.0, value, value]}
    (row,) = (
        row
        for row in budgets.rows(measured, {name: [value / 2]})
        if row.name == budgets.BUDGETS[name].name
    )
    assert (row.value, row.ratio, row.met) == (value, 2.0, is_met)


@pytest.mark.lane("builds")
def test_without_a_browser_nothing_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(budgets, "CHROMIUM", "no-such-browser")
    assert budgets.measure_all(1, 1) == []
    assert "no-such-browser is missing" in capsys.readouterr().out
