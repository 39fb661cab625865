"""The page of the bots' strength: the tables and the picture of docs/strength.md, written from the
measurements. The picture shows strength by number of simulations: the shares of `mcts:32`,
`mcts:64` … against greedy players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log2
from pathlib import Path
from typing import Final

from ai.arena.chart import GRID_COLOUR, svg_text
from ai.arena.page_sections import name_of_rules, page_with_sections, table_lines
from ai.levels import LADDERS, Level
from ai.strength_results import StrengthResult
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tabularium_engines.common.svg import SANS_SERIF_FONTS, XMLNS, Markup, element, text_width
from tabularium_engines.installed.registry import ENGINES

OPPONENT: Final = "greedy"
MIN_POWER, MAX_POWER = 5, 13  # powers of two
HEIGHT: Final = 420
PLOT_LEFT, PLOT_RIGHT, TOP_MARGIN, BOTTOM_MARGIN = 60, 560, 52, 56
NAMES_LEFT: Final = PLOT_RIGHT + 24  # left edge of the legend
NAME_SIZE: Final = 13  # font size of the legend
LINE_COLOURS: Final = ("#0b6e4f", "#8a3ffc", "#b4690e", "#005d8f", "#a2191f", "#5c5c5c")

Curves = Mapping[str, Mapping[int, StrengthResult]]  # by table, by simulations

PAGE_PATH: Final = PROJECT_ROOT / "docs" / "strength.md"
PICTURE_PATH: Final = PROJECT_ROOT / "docs" / "strength.svg"
# levels without a search
SEARCHLESS_LEVEL_TEXTS: Final = {
    "careless": "half",
    "greedy": "greedy",
}


def collect_curves(results: Iterable[StrengthResult]) -> Curves:
    """All measured searches whose number of simulations is a power of two."""
    curves: dict[str, dict[int, StrengthResult]] = {}
    for result in results:
        kind, _, simulations_text = result.challenger.partition(":")
        if kind == "mcts" and simulations_text.isdecimal() and result.opponent == OPPONENT:
            simulations = int(simulations_text)
            if simulations.bit_count() == 1 and MIN_POWER <= log2(simulations) <= MAX_POWER:
                rules = name_of_rules(result.game, result.version, ENGINES[result.game].about.title)
                title = f"{rules}, {result.seats} players{result.variant_text}"
                curves.setdefault(title, {})[simulations] = result
    return {title: dict(sorted(curves[title].items())) for title in sorted(curves)}


def curve_table(curves: Curves) -> list[str]:
    """A row for each number of simulations, a column for each table."""
    rows = [["simulations", *curves], ["---:"] + ["---"] * len(curves)]
    for simulations in (1 << power for power in range(MIN_POWER, MAX_POWER + 1)):
        shares = [_result_text(points.get(simulations)) for points in curves.values()]
        rows.append([str(simulations), *shares])
    return table_lines(rows)


def _result_text(result: StrengthResult | None) -> str:
    return (
        f"{result.share:.3f} [{result.low:.3f}, {result.high:.3f}] of {result.games}"
        if result
        else "–"
    )


def render_curves(curves: Curves) -> Markup:
    """A line for each table, with the interval at each point; par is dashed, in the same colour."""
    title = f"Share of victories against {OPPONENT}, by simulations per decision"
    width = (
        NAMES_LEFT + max((round(text_width(name, NAME_SIZE)) for name in curves), default=0) + 16
    )
    lines = [
        _render_line(name, list(points.items()), LINE_COLOURS[place % len(LINE_COLOURS)], place)
        for place, (name, points) in enumerate(curves.items())
    ]
    return element(
        "svg",
        element("title", title),
        element("rect", width=width, height=HEIGHT, fill="#ffffff"),
        svg_text(title, 16, 28, size=17, font_weight="bold"),
        *_scale_marks(),
        *lines,
        xmlns=XMLNS,
        viewBox=f"0 0 {width} {HEIGHT}",
        font_family=SANS_SERIF_FONTS,
        role="img",
    )


def _x_of(simulations: int) -> float:
    return PLOT_LEFT + (log2(simulations) - MIN_POWER) / (MAX_POWER - MIN_POWER) * (
        PLOT_RIGHT - PLOT_LEFT
    )


def _y_of(share: float) -> float:
    return round(TOP_MARGIN + (1 - share) * (HEIGHT - TOP_MARGIN - BOTTOM_MARGIN), 1)


def _scale_marks() -> list[Markup]:
    """A line for each fifth, and the powers of two."""
    marks: list[Markup] = []
    for fifth in range(6):
        y = _y_of(fifth / 5)
        marks.append(element("path", d=f"M{PLOT_LEFT} {y:g}H{PLOT_RIGHT}", stroke=GRID_COLOUR))
        marks.append(svg_text(f"{20 * fifth} %", PLOT_LEFT - 8, y + 4, size=12, text_anchor="end"))
    for power in range(MIN_POWER, MAX_POWER + 1):
        x = round(_x_of(1 << power), 1)
        marks.append(svg_text(str(1 << power), x, HEIGHT - 32, size=12, text_anchor="middle"))
    return marks


def _render_line(
    name: str, points: list[tuple[int, StrengthResult]], colour: str, place: int
) -> Markup:
    """One table: its points, joined, each with its interval, and its name in the legend."""
    positions = [
        (round(_x_of(number), 1), _y_of(result.share), result) for number, result in points
    ]
    path = "L".join(f"{x:g} {y:g}" for x, y, _ in positions)
    par = _y_of(positions[0][2].par)
    elements = [
        element(
            "path",
            d=f"M{PLOT_LEFT} {par:g}H{PLOT_RIGHT}",
            stroke=colour,
            stroke_dasharray="2 5",
            opacity=0.6,
        ),
        element("path", d=f"M{path}", stroke=colour, stroke_width=2.5, fill="none"),
    ]
    for x, y, result in positions:
        interval = f"M{x:g} {_y_of(result.low):g}V{_y_of(result.high):g}"
        elements.append(element("path", d=interval, stroke=colour, stroke_width=5, opacity=0.3))
        elements.append(element("circle", cx=x, cy=y, r=4, fill=colour))
    level = TOP_MARGIN + 18 + 24 * place
    elements.append(element("circle", cx=NAMES_LEFT - 10, cy=level - 5, r=5, fill=colour))
    elements.append(svg_text(name, NAMES_LEFT, level, size=NAME_SIZE))
    return element("g", element("title", name), *elements)


def render_files(results: Sequence[StrengthResult]) -> dict[Path, str]:
    """Each file to write, and its new content."""
    curves = collect_curves(results)
    ids_on_curves = {id(result) for points in curves.values() for result in points.values()}
    other_results = [result for result in results if id(result) not in ids_on_curves]
    tables = {
        "levels": _level_rows(),
        "results": _result_rows(other_results),
        "curve": curve_table(curves),
    }
    page = page_with_sections(PAGE_PATH, tables)
    return {PAGE_PATH: page, PICTURE_PATH: render_curves(curves) + "\n"}


def _level_rows() -> list[str]:
    max_levels = max(map(len, LADDERS.values()))
    rows = [
        ["game", *(f"level_{number}" for number in range(1, max_levels + 1))],
        ["---"] * (max_levels + 1),
    ]
    for slug, ladder in LADDERS.items():
        rows.append([slug, *map(_level_text, ladder), *["–"] * (max_levels - len(ladder))])
    return table_lines(rows)


def _level_text(level: Level) -> str:
    return str(level.simulations) if level.simulations else SEARCHLESS_LEVEL_TEXTS[level.bot]


def _result_rows(results: Sequence[StrengthResult]) -> list[str]:
    head = ["table", "challenger", "opponents", "share", "par", "games"]
    return table_lines([head, ["---"] * len(head), *map(_result_row, results)])


def _result_row(result: StrengthResult) -> list[str]:
    rules = name_of_rules(result.game, result.version, result.game)
    return [
        f"{rules}, {result.seats} seats{result.variant_text}",
        result.challenger,
        result.opponent,
        f"{result.share:.3f} [{result.low:.3f}, {result.high:.3f}]",
        f"{result.par:.3f}",
        str(result.games),
    ]
