"""The results of contests as a picture: each share with its interval, beside what chance gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ai.arena.statistics import Score
from games.engines.common.svg import SANS, XMLNS, Markup, element

WIDTH: Final = 760
LABELS: Final = 300  # the width of the names
ROW: Final = 34
TOP: Final = 44
BOTTOM: Final = 34
INK: Final = "#1d2733"
FAINT: Final = "#c3ccd6"
BETTER: Final = "#0b6e4f"
OPEN: Final = "#b4690e"


@dataclass(frozen=True)
class Row:
    """A contest that has been played."""

    name: str
    score: Score


def chart(title: str, rows: Sequence[Row]) -> str:
    """The rows below each other, over one scale from 0 to 1."""
    height = TOP + ROW * len(rows) + BOTTOM
    paper = element("rect", width=WIDTH, height=height, fill="#ffffff")
    heading = text(title, 16, 28, size=17, font_weight="bold")
    drawn = [_row(row, TOP + ROW * index + ROW / 2) for index, row in enumerate(rows)]
    scale = _scale(TOP, height - BOTTOM)
    return element(
        "svg",
        element("title", title),
        *(paper, heading, *scale, *drawn),
        xmlns=XMLNS,
        viewBox=f"0 0 {WIDTH} {height}",
        font_family=SANS,
        role="img",
    )


def _across(share: float) -> float:
    return LABELS + share * (WIDTH - LABELS - 30)


def _scale(top: float, bottom: float) -> list[Markup]:
    """A line for each fifth."""
    marks: list[Markup] = []
    for fifth in range(6):
        across = _across(fifth / 5)
        marks.append(element("path", d=f"M{across:g} {top:g}V{bottom:g}", stroke=FAINT))
        marks.append(text(f"{20 * fifth} %", across, bottom + 20, size=12, text_anchor="middle"))
    return marks


def _row(row: Row, middle: float) -> Markup:
    """A name, par as a dashed mark, and the share as a dot in its interval."""
    score = row.score
    colour = BETTER if score.is_better else OPEN
    low, high, share, par = map(_across, (score.low, score.high, score.share, score.par))
    told = f"{row.name}: {score}"
    return element(
        "g",
        element("title", told),
        text(row.name, 16, middle + 5, size=14),
        element(
            "path",
            d=f"M{par:g} {middle - 13:g}V{middle + 13:g}",
            stroke=INK,
            stroke_dasharray="3 3",
        ),
        element(
            "path", d=f"M{low:g} {middle:g}H{high:g}", stroke=colour, stroke_width=7, opacity=0.45
        ),
        element("circle", cx=share, cy=middle, r=6, fill=colour),
    )


def text(words: str, x: float, y: float, size: float, **style: str) -> Markup:
    return element("text", words, x=x, y=y, font_size=size, fill=INK, **style)
