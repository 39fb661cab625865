"""Is what the benchmark says of its measurements right?"""

from __future__ import annotations

import pytest

from bench import race, report
from bench.positions import TABLES
from bench.race import Contest, Row
from bench.worker import race as run_for


class Always:
    """A worker that has so many units ready in no time."""

    def __init__(self, done: float) -> None:
        self.done = done

    def __call__(self) -> float:
        return self.done


CONTEST = Contest("walk", "steps/s", "a.walk", ("b.walk", "b.crawl"), 2.0)
RATES = {"a.walk": [10.0, 40.0, 20.0], "b.walk": [5.0, 10.0, 5.0], "b.crawl": [1.0, 1.0, 90.0]}


def test_a_ratio_is_the_median_of_those_within_a_repetition() -> None:
    row = race.judged(CONTEST, RATES)
    assert (row.value, row.peer_value, row.ratio) == (20.0, 5.0, 4.0)
    assert row.repetitions == 3
    assert row.met


def test_the_fastest_peer_counts() -> None:
    assert race.judged(CONTEST, RATES).peer == "b.walk"
    assert race.judged(CONTEST, {**RATES, "b.crawl": [30.0] * 3}).peer == "b.crawl"


def test_a_missed_target_is_said() -> None:
    row = race.judged(CONTEST, {**RATES, "b.walk": [15.0] * 3})
    assert not row.met
    assert "NOT MET" in report.table([row])


def test_nobody_races_twice() -> None:
    everybody = race.contestants(race.contests())
    assert len(everybody) == len(set(everybody))
    assert {who.partition(".")[0] for who in everybody} == {*race.TEAMS, race.TAG}


def test_a_slice_is_whole_rounds() -> None:
    done, elapsed = run_for(Always(3.0), 0.01)
    assert done % 3 == 0
    assert elapsed >= 0.01
    assert run_for(Always(3.0), 0.0)[0] == 3


@pytest.mark.parametrize(
    ("value", "written"), [(2_100_000, "2.1 M"), (44_600, "44.6 k"), (0.706, "0.706"), (15, "15")]
)
def test_numbers_have_three_digits(value: float, written: str) -> None:
    assert report.number(value) == written


def test_a_row_without_a_peer_has_no_ratio() -> None:
    assert report.cells(Row("size", 1.5, "MB"))[3:] == ("", "", "", "", "")


def test_what_is_not_here_stands_in_the_table() -> None:
    who = race.told_of(TABLES["law_of_the_dice"])
    assert race.run({}, [who], 3, 0.3) == {who: [TABLES["law_of_the_dice"].framework_rate] * 3}
