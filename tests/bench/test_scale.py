"""The model of processor times finds the costs that figures were made from, and its documented
tables follow from the stored figures."""

from __future__ import annotations

import json
from random import Random

import pytest

from bench.scale import model, needs
from bench.scale.__main__ import COSTS_FILE
from bench.scale.mixes import TYPICAL
from bench.scale.model import CAUSES, Observation
from tests.docs.verifier import DOCS

FIGURES = json.loads(COSTS_FILE.read_text(encoding="utf-8"))


def observations(names: str) -> list[Observation]:
    """The stored crowds of one kind."""
    return [Observation(**each) for each in FIGURES[names]]


def made_up(costs: model.Costs, count: int) -> list[Observation]:
    """Crowds with exactly these costs."""
    rng = Random(1)
    found = []
    for number in range(count):
        causes = {cause: rng.uniform(1, 100) for part in CAUSES.values() for cause in part}
        found.append(Observation(str(number), causes, model.predict(costs, causes)))
    return found


@pytest.mark.lane("builds")
def test_costs_are_found_again() -> None:
    rng = Random(2)
    costs = {part: {cause: rng.random() for cause in causes} for part, causes in CAUSES.items()}
    costs["web"]["game"] = 0.0
    found = model.fit(made_up(costs, 20))
    for part, causes in costs.items():
        assert found[part] == pytest.approx(causes, rel=1e-3, abs=1e-3)


def test_no_cost_is_negative() -> None:
    rows = [[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]]
    assert model.least_squares(rows, [3.0, 2.0, 1.0]) == pytest.approx([2.0, 0.0])


def test_a_report_is_observed() -> None:
    report = {
        "kinds": {"action": 5, "table": 2, "guest": 1, "long poll": 3},
        "bot_moves": {"law": {"greedy": 4}},
        "seconds": 9.0,
        "games_begun": 1,
        "streamed_entries": 6,
        "entries": 12,
        "processor_seconds": {"web": 1.0, "bots": 2.0, "PostgreSQL": 3.0, "sweeper": 4.0},
    }
    found = model.observe("one", report, {"law": {"greedy": 0.5}})
    assert found.causes["read"] == 3
    assert found.causes["second of thinking"] == 2.0
    assert found.seconds["the rest"] == 4.0


def test_the_stored_costs_are_those_of_the_stored_crowds() -> None:
    found = model.fit(observations("fitted"))
    assert {part: pytest.approx(costs) for part, costs in found.items()} == FIGURES["costs"]


@pytest.mark.parametrize("crowd", observations("held_out"), ids=lambda crowd: crowd.name)
def test_crowds_that_were_held_out_are_predicted(crowd: Observation) -> None:
    predicted = model.predict(FIGURES["costs"], crowd.causes)
    for part, seconds in crowd.seconds.items():
        assert predicted[part] == pytest.approx(seconds, rel=0.25), part


def test_the_documented_tables_follow_from_the_costs() -> None:
    page = (DOCS / "scale.md").read_text(encoding="utf-8")
    costs = FIGURES["costs"]
    (typical,) = (each for each in observations("held_out") if each.name == TYPICAL)
    tables = needs.game_table(typical), needs.cost_table(costs), needs.need_table(costs, typical)
    for table in tables:
        assert "\n".join(table) in page


def test_needs_grow_with_the_games() -> None:
    costs = {"web": {"second": 5.0, "action": 0.5, "game": 1.0}}
    crowd = Observation("one", {"second": 60.0, "action": 40.0, "game": 2.0, "entry": 100.0}, {})
    assert needs.cores(costs, crowd, 86_400) == {"web": pytest.approx(11 * 2.5 / 0.6)}
    assert needs.disk_bytes(crowd, 10) == 10 * (50 * 320 + 2100)
