"""`python -m bench.scale`: crowds are played, the model of processor times is fitted to some of
them and predicts the others; costs and figures go to bench/scale/costs.json (docs/scale.md)."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from bench.scale import mixes, model, needs
from bench.scale.mixes import Trial
from bench.scale.model import Observation

COSTS_FILE: Final = Path(__file__).with_name("costs.json")
ROOT: Final = Path(__file__).parents[2]
MAX_ERROR: Final = 0.25
WHOLE: Final = "all parts"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, fit, predict, write and print; 1 if a prediction is too far off."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--again", action="store_true", help="fit to the figures of the last run")
    options = parser.parse_args(arguments)
    figures = json.loads(COSTS_FILE.read_text()) if options.again else measure()
    fitted, held_out = (
        [Observation(**each) for each in figures[name]] for name in ("fitted", "held_out")
    )
    costs = model.fit(fitted)
    COSTS_FILE.write_text(json.dumps({**figures, "costs": costs}, indent=1) + "\n")
    (typical,) = (each for each in held_out if each.name == mixes.TYPICAL)
    for table in (
        needs.game_table(typical),
        needs.cost_table(costs),
        needs.need_table(costs, typical),
    ):
        print(*table, "", sep="\n")
    worst = max(print_errors(costs, each) for each in held_out)
    for each in fitted:
        print_errors(costs, each)
    print(f"worst prediction of a crowd that was held out: {100 * worst:.0f} % off")
    return int(worst > MAX_ERROR)


def measure() -> dict[str, Any]:
    """Play all crowds."""
    from bench.scale.decisions import measure_decisions

    print("Bots decide …", file=sys.stderr, flush=True)
    decisions = measure_decisions()
    trials = {"fitted": mixes.FITTED, "held_out": mixes.HELD_OUT}
    return {
        "decisions": decisions,
        **{
            name: [model.observe(each.name, play(each), decisions)._asdict() for each in several]
            for name, several in trials.items()
        },
    }


def play(trial: Trial) -> dict[str, Any]:
    """The report of a crowd."""
    print(f"A crowd plays: {trial.name} …", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "tests.crowd", *trial.arguments, f"--report={report}"]
        subprocess.run(
            command, cwd=ROOT, env=dict(os.environ), stdout=subprocess.DEVNULL, check=True
        )
        document: dict[str, Any] = json.loads(report.read_text())
        return document


def print_errors(costs: model.Costs, observation: Observation) -> float:
    """Print predictions beside measurements; the largest relative error."""
    predicted, seconds = model.predict(costs, observation.causes), observation.seconds
    predicted, seconds = ({**each, WHOLE: sum(each.values())} for each in (predicted, seconds))
    errors = {part: predicted[part] / seconds[part] - 1 for part in seconds}
    shown = ", ".join(
        f"{part} {predicted[part]:.1f} of {seconds[part]:.1f} ({100 * error:+.0f} %)"
        for part, error in errors.items()
    )
    print(f"{observation.name}, processor seconds: {shown}")
    return max(map(abs, errors.values()))


if __name__ == "__main__":
    sys.exit(main())
