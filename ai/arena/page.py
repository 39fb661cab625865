"""The tables of docs/strength.md, and its picture: written anew from what was measured."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ai.arena import curve
from ai.levels import LADDERS, Level
from ai.strength import Measured
from games.compiled import ROOT

PAGE: Final = ROOT / "docs" / "strength.md"
PICTURE: Final = ROOT / "docs" / "strength.svg"
WORDS: Final = {"careless": "half", "greedy": "greedy"}  # levels that search nothing


def files(known: Sequence[Measured]) -> dict[Path, str]:
    """Each file that is written, and what it says now."""
    drawn = curve.curves(known)
    on_curves = {one for points in drawn.values() for one in map(id, points.values())}
    others = [one for one in known if id(one) not in on_curves]
    tables = {"levels": _levels(), "results": _results(others), "curve": curve.table(drawn)}
    page = PAGE.read_text()
    for name, rows in tables.items():
        marks = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        between = re.compile("(?s)" + ".*".join(map(re.escape, marks)))
        inside = "".join(f"{row}\n" for row in rows).join(marks)
        page, times = between.subn(lambda _, inside=inside: inside, page)  # type: ignore[misc]
        if times != 1:
            raise ValueError(f"{PAGE.name} has no place for {name}.")
    return {PAGE: page, PICTURE: curve.picture(drawn) + "\n"}


def _levels() -> list[str]:
    most = max(map(len, LADDERS.values()))
    rows = [["game", *(f"level_{number}" for number in range(1, most + 1))], ["---"] * (most + 1)]
    for slug, ladder in LADDERS.items():
        rows.append([slug, *map(_level, ladder), *["–"] * (most - len(ladder))])
    return [f"| {' | '.join(row)} |" for row in rows]


def _level(level: Level) -> str:
    return str(level.simulations) if level.simulations else WORDS[level.bot]


def _results(known: Sequence[Measured]) -> list[str]:
    head = ["| table | challenger | opponents | share | par | games |", "|---|---|---|---|---|---|"]
    return head + [str(one) for one in known]
