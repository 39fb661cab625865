"""The laboratory: tallies are continued as if they had never been interrupted, cells end when their
intervals are narrow, and the command and the page tell the figures."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from django.core.management import CommandError, call_command

from ai.balance import page
from ai.balance.cells import DEFAULT_HALF_WIDTH, VARIANT_HALF_WIDTH, Cell
from ai.balance.game_record import GameRecord
from ai.balance.laboratory import MAX_GAMES, MIN_GAMES, Results, is_settled, play_cell
from ai.balance.rulings import rulings_by_line
from ai.balance.tally import Tally, median_of, tally_from
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tabularium_engines.installed.registry import ENGINES, ruleset_of


def cell_of(slug: str, seats: int, **options: object) -> Cell:
    engine = ENGINES[slug]
    return Cell(ruleset_of(engine), engine.about.options(**options), seats)


def record(winner: int, decisions: int = 10, **uses: int) -> GameRecord:
    """A game of two."""
    return GameRecord((1.0 - winner, float(winner)), decisions, 4, winner == 0, True, uses)


class TestTally:
    def test_its_figures_are_those_of_its_games(self) -> None:
        tally = Tally()
        for winner, decisions in ((0, 8), (0, 10), (1, 12), (0, 30)):
            tally.add(record(winner, decisions, play=decisions // 10))
        assert (tally.games, tally.share(0), tally.share(1)) == (4, 0.75, 0.25)
        assert (tally.par, tally.starter_ratio) == (0.5, 1.5)
        assert (median_of(tally.decisions), median_of(tally.turns)) == (10, 4)
        assert (tally.decided_early, tally.lead_changes) == (3, 4)
        play = tally.uses["play"]
        assert (play.games, play.often, play.total) == (4, 1, 5)

    def test_it_goes_through_json(self) -> None:
        tally = Tally()
        tally.add(record(0, play=3))
        tally.add(record(1, 12, draw=1))
        assert tally_from(json.loads(json.dumps(tally.document()))) == tally

    def test_the_median_is_the_lower_one(self) -> None:
        assert median_of(Counter({3: 2, 9: 2})) == 3
        assert median_of(Counter({3: 1, 9: 2})) == 9
        assert median_of(Counter()) == 0


class TestCells:
    def test_a_continued_cell_is_the_same_as_one_played_at_once(self, tmp_path: Path) -> None:
        cell, file = cell_of("law_of_the_dice", 3), tmp_path / "balance.json"
        *_, at_once = play_cell(cell, "greedy", Tally(), games=9)
        results = Results(file)
        for games in (4, 9):
            result = results.load(cell, "greedy")
            assert result.tally.games == (0 if games == 4 else 4)
            for _ in play_cell(cell, "greedy", result.tally, games=games):
                pass
            results.save(result)
            results = Results(file)
        assert results.load(cell, "greedy").tally == at_once
        assert results.load(cell, "random").tally.games == 0

    def test_a_cell_is_settled_when_its_intervals_are_narrow(self) -> None:
        default, variant = cell_of("duality", 2), cell_of("duality", 2, file=3)
        assert (default.half_width, variant.half_width) == (DEFAULT_HALF_WIDTH, VARIANT_HALF_WIDTH)
        tally = Tally()
        while not is_settled(variant, tally):
            tally.add(record(tally.games % 2))
        assert MIN_GAMES < tally.games < 110
        assert tally.half_width <= VARIANT_HALF_WIDTH
        assert not is_settled(default, tally)
        while not is_settled(default, tally):
            tally.add(record(tally.games % 2))
        assert 370 < tally.games < 400 < MAX_GAMES

    def test_where_one_seat_always_wins_it_takes_the_fewest_games(self) -> None:
        tally = Tally()
        while not is_settled(cell_of("duality", 2), tally):
            tally.add(record(0))
        assert tally.games == MIN_GAMES


class TestRulings:
    SOURCE = '''"""A module."""
LIMIT = 3  # R1
def turn(state):
    """Play a turn."""  # R2
    # R3: a comment of its own
    if state:
        return 1  # R4, R5
    return 2
'''

    def test_comments_name_the_line_of_code_they_explain(self) -> None:
        found = rulings_by_line(self.SOURCE)
        assert found == {6: frozenset({2, 3}), 7: frozenset({4, 5})}

    @pytest.mark.lane("slow")
    def test_random_games_reach_the_code_of_rulings(self) -> None:
        command = [sys.executable, "manage.py", "balance", "law_of_the_dice", "--rulings", "5"]
        environment = os.environ | {"TABULARIUM_ENGINES": "interpreted"}
        done = subprocess.run(
            command, cwd=PROJECT_ROOT, env=environment, capture_output=True, text=True, check=True
        )
        assert "R2 100 %" in done.stdout
        assert "R21 100 %" in done.stdout


class TestCommand:
    def test_it_measures_the_chosen_cells_and_tells_them(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "balance.json"
        arguments = ("law", "--bot", "greedy", "--games", "6", "--jobs", "1", "--skill", "4")
        call_command("balance", *arguments, "--seats", "2", "--results", str(file))
        first, second, *_ = capsys.readouterr().out.splitlines()
        assert re.fullmatch(
            r"law 2 2 default, greedy: 0\.\d\d ± 0\.\d\d 0\.\d\d ± 0\.\d\d;"
            r" \d+ decisions, \d+ turns; 6 games",
            first,
        )
        assert second.startswith("law 2 2 deck=introductory, greedy")
        default, introductory, *_ = Results(file)
        assert default.skill is not None
        assert default.skill.games >= 4
        assert introductory.skill is None

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (("duality", "--seats", "3"), "no such cell"),
            (("duality", "--variant", "file=9"), "no such cell"),
            (("duality", "--bot", "nobody"), "There is no bot nobody"),
            (("duality", "--rules", "99"), "not installed"),
            (("duality", "--jobs", "0"), "no process"),
        ],
    )
    def test_what_cannot_be_measured_is_refused(
        self, arguments: tuple[str, ...], sentence: str
    ) -> None:
        with pytest.raises(CommandError, match=sentence):
            call_command("balance", *arguments)


class TestPage:
    def test_it_has_a_row_for_each_cell_and_a_picture(self, tmp_path: Path) -> None:
        file = tmp_path / "balance.json"
        for slug, seats in (("law_of_the_dice", "2"), ("duality", "2")):
            arguments = (slug, "--seats", seats, "--bot", "random", "--games", "3", "--jobs", "1")
            call_command("balance", *arguments, "--results", str(file))
        results = list(Results(file))
        files = page.render_files(results)
        text = files[page.PAGE_PATH]
        rows = [line for line in text.splitlines() if line.startswith("| Law of the Dice 3 | 2 |")]
        variants = {
            result.cell.variant for result in results if result.cell.ruleset.slug != "duality"
        }
        assert {row.split(" | ")[2] for row in rows} <= variants
        assert len(rows) == len(variants)
        assert "| Duality | passed |" in text
        picture = ET.fromstring(files[page.PICTURE_PATH])
        assert "Duality, 2 players" in "".join(picture.itertext())

    def test_the_published_page_is_that_of_the_published_results(self) -> None:
        for path, text in page.render_files(Results()).items():
            assert path.read_text() == text, f"{path.name}: run manage.py balance_report"
