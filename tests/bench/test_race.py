"""The ratios and rates that the benchmark reports are computed correctly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench import race, report
from bench.race import Contest, Row
from bench.search_positions import MEASURED_GAMES, OPENSPIEL_REFERENCE_RATE
from bench.worker import run_rounds as run_for


class Always:
    """A worker that has this many units ready in no time."""

    def __init__(self, done: float) -> None:
        self.done = done

    def __call__(self) -> float:
        return self.done


CONTEST = Contest("walk", "steps/s", "a.walk", ("b.walk", "b.crawl"), 2.0)
RATES = {"a.walk": [10.0, 40.0, 20.0], "b.walk": [5.0, 10.0, 5.0], "b.crawl": [1.0, 1.0, 90.0]}


def test_a_ratio_is_the_median_of_those_within_a_repetition() -> None:
    row = race.judge_contest(CONTEST, RATES)
    assert (row.value, row.peer_value, row.ratio) == (20.0, 5.0, 4.0)
    assert row.repetitions == 3
    assert row.met


def test_the_fastest_peer_counts() -> None:
    assert race.judge_contest(CONTEST, RATES).peer == "b.walk"
    assert race.judge_contest(CONTEST, {**RATES, "b.crawl": [30.0] * 3}).peer == "b.crawl"


def test_a_missed_target_is_said() -> None:
    row = race.judge_contest(CONTEST, {**RATES, "b.walk": [15.0] * 3})
    assert not row.met
    assert "NOT MET" in report.render_table([row])


def test_nobody_races_twice() -> None:
    everybody = race.contestant_names(race.all_contests())
    assert len(everybody) == len(set(everybody))
    assert {who.partition(".")[0] for who in everybody} == {*race.TEAMS, race.TAG_FRAMEWORK}


def test_a_slice_is_whole_rounds() -> None:
    done, elapsed = run_for(Always(3.0), 0.01)
    assert done % 3 == 0
    assert elapsed >= 0.01
    assert run_for(Always(3.0), 0.0)[0] == 3


@pytest.mark.parametrize(
    ("value", "expected"), [(2_100_000, "2.1 M"), (44_600, "44.6 k"), (0.706, "0.706"), (15, "15")]
)
def test_numbers_have_three_digits(value: float, expected: str) -> None:
    assert report.format_number(value) == expected


def test_a_row_without_a_peer_has_no_ratio() -> None:
    assert report.row_cells(Row("size", 1.5, "MB"))[3:] == ("", "", "", "", "")


def test_who_is_not_here_is_as_much_faster_as_this_machine_is() -> None:
    class TwiceAsFast:
        """A worker on a machine that is twice as fast as that of the table."""

        def ask(self, task: str, amount: float) -> list[float]:
            assert task == "mcts"
            return [2.0 * OPENSPIEL_REFERENCE_RATE * amount, amount]

    table = MEASURED_GAMES["law_of_the_dice"]
    contests = [one for one in race.all_contests() if race.tag_contestant(table) in one.peers]
    contestants = [
        name for name in race.contestant_names(contests) if not name.startswith("compiled.")
    ]
    workers: Any = {"openspiel": TwiceAsFast()}
    rates = race.measure_rates(workers, contestants, 3, 0.3)[race.tag_contestant(table)]
    assert rates == pytest.approx([2 * table.framework_rate] * 3)


def test_no_figures_are_written_on_a_busy_machine() -> None:
    script = (
        "import os, runpy; os.getloadavg = lambda: (1.6, 0.2, 0.1)\n"
        "runpy.run_module('bench', run_name='__main__')"
    )
    root = Path(race.__file__).parents[1]
    process = subprocess.run(
        [sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False
    )
    assert process.returncode == 1
    assert process.stderr.startswith("The load average is 1.6, above 1: no figures are written")
