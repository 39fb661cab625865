"""The chart of contests: each share of wins with its confidence interval, next to the chance level,
as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ai.arena.statistics import Score
from tabularium_engines.common.svg import SANS_SERIF_FONTS, XMLNS, Markup, element

WIDTH: Final = 760
LABEL_WIDTH: Final = 300  # of the names
ROW_HEIGHT: Final = 34
TOP_MARGIN: Final = 44
BOTTOM_MARGIN: Final = 34
INK_COLOUR: Final = "#1d2733"
GRID_COLOUR: Final = "#c3ccd6"
BETTER_COLOUR: Final = "#0b6e4f"
UNDECIDED_COLOUR: Final = "#b4690e"


@dataclass(frozen=True)
class ChartRow:
    """A contest that has been played."""

    name: str
    score: Score


def render_chart(title: str, rows: Sequence[ChartRow]) -> str:
    """The rows below each other, over one scale from 0 to 1."""
    height = TOP_MARGIN + ROW_HEIGHT * len(rows) + BOTTOM_MARGIN
    paper = element("rect", width=WIDTH, height=height, fill="#ffffff")
    heading = svg_text(title, 16, 28, size=17, font_weight="bold")
    row_elements = [
        _render_row(row, TOP_MARGIN + ROW_HEIGHT * index + ROW_HEIGHT / 2)
        for index, row in enumerate(rows)
    ]
    scale = _scale_marks(TOP_MARGIN, height - BOTTOM_MARGIN)
    return element(
        "svg",
        element("title", title),
        *(paper, heading, *scale, *row_elements),
        xmlns=XMLNS,
        viewBox=f"0 0 {WIDTH} {height}",
        font_family=SANS_SERIF_FONTS,
        role="img",
    )


def _x_of(share: float) -> float:
    return LABEL_WIDTH + share * (WIDTH - LABEL_WIDTH - 30)


def _scale_marks(top: float, bottom: float) -> list[Markup]:
    """A line for each fifth."""
    marks: list[Markup] = []
    for fifth in range(6):
        x = _x_of(fifth / 5)
        marks.append(element("path", d=f"M{x:g} {top:g}V{bottom:g}", stroke=GRID_COLOUR))
        marks.append(svg_text(f"{20 * fifth} %", x, bottom + 20, size=12, text_anchor="middle"))
    return marks


def _render_row(row: ChartRow, middle: float) -> Markup:
    """A name, par as a dashed mark, and the share as a dot in its interval."""
    score = row.score
    colour = BETTER_COLOUR if score.is_better else UNDECIDED_COLOUR
    low, high, share, par = map(_x_of, (score.low, score.high, score.share, score.par))
    title = f"{row.name}: {score}"
    return element(
        "g",
        element("title", title),
        svg_text(row.name, 16, middle + 5, size=14),
        element(
            "path",
            d=f"M{par:g} {middle - 13:g}V{middle + 13:g}",
            stroke=INK_COLOUR,
            stroke_dasharray="3 3",
        ),
        element(
            "path", d=f"M{low:g} {middle:g}H{high:g}", stroke=colour, stroke_width=7, opacity=0.45
        ),
        element("circle", cx=share, cy=middle, r=6, fill=colour),
    )


def svg_text(text: str, x: float, y: float, size: float, **style: str) -> Markup:
    return element("text", text, x=x, y=y, font_size=size, fill=INK_COLOUR, **style)
