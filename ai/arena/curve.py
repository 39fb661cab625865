"""How does strength grow with the number of simulations? The shares of `mcts:32`, `mcts:64` …
against greedy players, as a table and as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log2
from typing import Final

from ai.arena.chart import FAINT, text
from ai.strength import Measured
from games.engines.common.svg import SANS, XMLNS, Markup, element, width_of
from games.registry import ENGINES

AGAINST: Final = "greedy"
FEWEST, MOST = 5, 13  # powers of two
HEIGHT: Final = 420
LEFT, END, TOP, BOTTOM = 60, 560, 52, 56
NAMES: Final = END + 24  # where the names of the lines begin
NAME: Final = 13  # how large they are written
COLOURS: Final = ("#0b6e4f", "#8a3ffc", "#b4690e", "#005d8f", "#a2191f", "#5c5c5c")

Curves = Mapping[str, Mapping[int, Measured]]  # by table, by simulations


def curves(known: Iterable[Measured]) -> Curves:
    """All that was measured of searches whose simulations are a power of two."""
    found: dict[str, dict[int, Measured]] = {}
    for one in known:
        kind, _, given = one.challenger.partition(":")
        if kind == "mcts" and given.isdecimal() and one.opponent == AGAINST:
            simulations = int(given)
            if simulations.bit_count() == 1 and FEWEST <= log2(simulations) <= MOST:
                title = f"{ENGINES[one.game].about.title}, {one.seats} players{one.variant}"
                found.setdefault(title, {})[simulations] = one
    return {title: dict(sorted(found[title].items())) for title in sorted(found)}


def table(drawn: Curves) -> list[str]:
    """A row for each number of simulations, a column for each table."""
    rows = [["simulations", *drawn], ["---:"] + ["---"] * len(drawn)]
    for simulations in (1 << power for power in range(FEWEST, MOST + 1)):
        shares = [_told(points.get(simulations)) for points in drawn.values()]
        rows.append([str(simulations), *shares])
    return [f"| {' | '.join(row)} |" for row in rows]


def _told(one: Measured | None) -> str:
    return f"{one.share:.3f} [{one.low:.3f}, {one.high:.3f}] of {one.games}" if one else "–"


def picture(drawn: Curves) -> Markup:
    """A line for each table, with the interval at each point; par is dashed, in its colour."""
    title = f"Share of victories against {AGAINST}, by simulations a decision"
    width = NAMES + max((round(width_of(name, NAME)) for name in drawn), default=0) + 16
    lines = [
        _line(name, list(points.items()), COLOURS[place % len(COLOURS)], place)
        for place, (name, points) in enumerate(drawn.items())
    ]
    return element(
        "svg",
        element("title", title),
        element("rect", width=width, height=HEIGHT, fill="#ffffff"),
        text(title, 16, 28, size=17, font_weight="bold"),
        *_scales(),
        *lines,
        xmlns=XMLNS,
        viewBox=f"0 0 {width} {HEIGHT}",
        font_family=SANS,
        role="img",
    )


def _across(simulations: int) -> float:
    return LEFT + (log2(simulations) - FEWEST) / (MOST - FEWEST) * (END - LEFT)


def _down(share: float) -> float:
    return round(TOP + (1 - share) * (HEIGHT - TOP - BOTTOM), 1)


def _scales() -> list[Markup]:
    """A line for each fifth, and the powers of two."""
    marks: list[Markup] = []
    for fifth in range(6):
        down = _down(fifth / 5)
        marks.append(element("path", d=f"M{LEFT} {down:g}H{END}", stroke=FAINT))
        marks.append(text(f"{20 * fifth} %", LEFT - 8, down + 4, size=12, text_anchor="end"))
    for power in range(FEWEST, MOST + 1):
        across = round(_across(1 << power), 1)
        marks.append(text(str(1 << power), across, HEIGHT - 32, size=12, text_anchor="middle"))
    return marks


def _line(name: str, points: list[tuple[int, Measured]], colour: str, place: int) -> Markup:
    """One table: its points, joined, each with its interval, and its name beside them."""
    spots = [(round(_across(number), 1), _down(one.share), one) for number, one in points]
    path = "L".join(f"{across:g} {down:g}" for across, down, _ in spots)
    par = _down(spots[0][2].par)
    drawn = [
        element(
            "path",
            d=f"M{LEFT} {par:g}H{END}",
            stroke=colour,
            stroke_dasharray="2 5",
            opacity=0.6,
        ),
        element("path", d=f"M{path}", stroke=colour, stroke_width=2.5, fill="none"),
    ]
    for across, down, one in spots:
        reach = f"M{across:g} {_down(one.low):g}V{_down(one.high):g}"
        drawn.append(element("path", d=reach, stroke=colour, stroke_width=5, opacity=0.3))
        drawn.append(element("circle", cx=across, cy=down, r=4, fill=colour))
    level = TOP + 18 + 24 * place
    drawn.append(element("circle", cx=NAMES - 10, cy=level - 5, r=5, fill=colour))
    drawn.append(text(name, NAMES, level, size=NAME))
    return element("g", element("title", name), *drawn)
