"""The tables and the picture of docs/strength.md, written from the measurements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ai.arena import strength_curve
from ai.levels import LADDERS, Level
from ai.strength_results import StrengthResult
from games.compiled_engines import PROJECT_ROOT

PAGE_PATH: Final = PROJECT_ROOT / "docs" / "strength.md"
PICTURE_PATH: Final = PROJECT_ROOT / "docs" / "strength.svg"
# levels without a search
SEARCHLESS_LEVEL_TEXTS: Final = {
    "careless": "half",
    "greedy": "greedy",
}


def render_files(known: Sequence[StrengthResult]) -> dict[Path, str]:
    """Each file to write, and its new content."""
    drawn = strength_curve.collect_curves(known)
    on_curves = {one for points in drawn.values() for one in map(id, points.values())}
    others = [one for one in known if id(one) not in on_curves]
    tables = {
        "levels": _level_rows(),
        "results": _result_rows(others),
        "curve": strength_curve.curve_table(drawn),
    }
    page = PAGE_PATH.read_text()
    for name, rows in tables.items():
        marks = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        between = re.compile("(?s)" + ".*".join(map(re.escape, marks)))
        inside = "".join(f"{row}\n" for row in rows).join(marks)
        page, times = between.subn(lambda _, inside=inside: inside, page)  # type: ignore[misc]
        if times != 1:
            raise ValueError(f"{PAGE_PATH.name} has no section for {name}.")
    return {PAGE_PATH: page, PICTURE_PATH: strength_curve.render_curves(drawn) + "\n"}


def _level_rows() -> list[str]:
    most = max(map(len, LADDERS.values()))
    rows = [["game", *(f"level_{number}" for number in range(1, most + 1))], ["---"] * (most + 1)]
    for slug, ladder in LADDERS.items():
        rows.append([slug, *map(_level_text, ladder), *["–"] * (most - len(ladder))])
    return [f"| {' | '.join(row)} |" for row in rows]


def _level_text(level: Level) -> str:
    return str(level.simulations) if level.simulations else SEARCHLESS_LEVEL_TEXTS[level.bot]


def _result_rows(known: Sequence[StrengthResult]) -> list[str]:
    head = ["| table | challenger | opponents | share | par | games |", "|---|---|---|---|---|---|"]
    return head + [str(one) for one in known]
