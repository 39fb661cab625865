"""Strength results: measurements are stored, reported, and written to the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.core.management import call_command

from ai import bot_registry, strength_results
from ai.arena import strength_page
from ai.arena.contestants import PLAYERS, SEARCHERS
from ai.strength_results import StrengthResult
from tabularium_engines.common.svg import XMLNS, text_width

ONE = StrengthResult("duality", 2, {}, "greedy", "random", 100, 0.9, 0.8, 0.95, 0.5)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty results file of the test's own."""
    kept = tmp_path / "strength.json"
    kept.write_text("[]")
    monkeypatch.setattr(strength_results, "RESULTS_FILE", kept)
    strength_results.load_results.cache_clear()
    return kept


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    strength_results.load_results.cache_clear()


def test_a_result_replaces_an_older_one_of_the_same_contest(file: Path) -> None:
    other = replace(ONE, options={"file": 7})
    strength_results.save_results([ONE, other])
    strength_results.save_results([replace(ONE, games=400)])
    assert set(map(repr, strength_results.load_results())) == {
        repr(replace(ONE, games=400)),
        repr(other),
    }


def test_the_arena_keeps_what_it_measures(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = json.dumps({"file": 3})
    arguments = {
        "bots": ["random", "greedy"],
        "games": 10,
        "deal": 5,
        "jobs": 1,
        "options": options,
    }
    call_command("arena", "duality", keep=True, **arguments)
    (stored,) = strength_results.load_results()
    assert (stored.game, stored.seats, stored.challenger, stored.opponent) == (
        "duality",
        2,
        "greedy",
        "random",
    )
    assert (stored.options, stored.games) == ({"file": 3}, 10)
    assert stored.share == 1  # its interval begins at 0.72246, which must not be rounded twice
    assert f"{stored.share:.3f} [{stored.low:.3f}, {stored.high:.3f}]" in capsys.readouterr().out


@pytest.mark.parametrize(("low", "is_better"), [(0.51, True), (0.5, False)])
def test_better_is_what_is_clear_of_chance(low: float, is_better: bool) -> None:
    assert replace(ONE, low=low).is_better is is_better


def test_all_that_is_kept_is_of_bots_that_exist() -> None:
    for one in strength_results.load_results():
        for name in (one.challenger, one.opponent):
            assert name.partition(":")[0] in {
                *bot_registry.bot_names(one.game),
                *SEARCHERS,
                *PLAYERS.get(one.game, ()),
            }
        assert one.low <= one.share <= one.high


def test_the_page_and_its_picture_tell_what_is_kept() -> None:
    for path, text in strength_page.render_files(strength_results.load_results()).items():
        assert path.read_text() == text, "manage.py strength_report writes it anew"


def test_a_page_without_a_place_for_a_table_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "strength.md"
    bare.write_text("<!-- levels -->\n<!-- end of levels -->\n")
    monkeypatch.setattr(strength_page, "PAGE_PATH", bare)
    with pytest.raises(ValueError, match="no section for results"):
        strength_page.render_files([])


class TestCurves:
    def points(self) -> list[StrengthResult]:
        names = ["mcts:64", "mcts:32", "mcts:1000", "mcts:16384", "mcts:64*2", "greedy"]
        return [replace(ONE, challenger=name, opponent="greedy", share=0.6) for name in names]

    def test_are_searches_of_powers_of_two(self) -> None:
        curves = strength_page.collect_curves(self.points())
        assert {title: list(points) for title, points in curves.items()} == {
            "Duality, 2 players": [32, 64]
        }

    def test_have_a_row_for_each_number(self) -> None:
        rows = strength_page.curve_table(strength_page.collect_curves(self.points()))
        assert rows[2:5] == [
            "| 32 | 0.600 [0.800, 0.950] of 100 |",
            "| 64 | 0.600 [0.800, 0.950] of 100 |",
            "| 128 | – |",
        ]
        assert len(rows) == 2 + 9

    def test_have_room_for_their_names(self) -> None:
        results = [*self.points(), replace(self.points()[0], game="duel_edged_sword", seats=4)]
        picture = ET.fromstring(strength_page.render_curves(strength_page.collect_curves(results)))
        width = float(picture.attrib["viewBox"].split()[2])
        names = [one for one in picture.iter(f"{{{XMLNS}}}text") if "players" in str(one.text)]
        assert len(names) == 2
        for name in names:
            size = text_width(str(name.text), float(name.attrib["font-size"]))
            assert float(name.attrib["x"]) + size < width

    def test_are_drawn_from_the_lowest_to_the_highest(self) -> None:
        picture = ET.fromstring(
            strength_page.render_curves(strength_page.collect_curves(self.points()))
        )
        assert "Duality, 2 players" in "".join(picture.itertext())
        circles = [one.attrib for one in picture.iter(f"{{{XMLNS}}}circle")]
        places = [float(one["cx"]) for one in circles]
        assert places[0] < places[1]
        assert circles[0]["cy"] == circles[1]["cy"]
