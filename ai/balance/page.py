"""The page of the laboratory: the tables and the picture of docs/balance.md, from the results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from ai.arena.chart import ChartRow, render_chart
from ai.arena.page_sections import name_of_rules, page_with_sections, table_lines
from ai.arena.statistics import Score
from ai.balance.laboratory import Result
from ai.balance.tally import SECONDS_PER_DECISION, Tally, median_of
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT

PAGE_PATH: Final = PROJECT_ROOT / "docs" / "balance.md"
PICTURE_PATH: Final = PROJECT_ROOT / "docs" / "balance.svg"
SHARE_HEAD: Final = (
    *("rules", "players", "variant", "bot", "shares by order from the starter", "starter / par"),
    *("decisions", "turns", "minutes", "decided early", "lead changes", "skill", "games"),
)
USE_HEAD: Final = ("rules", "action or effect", "in games", "at least 3 times", "times a game")
NAME_HEAD: Final = ("rules", "kind", "names", "in fewest games", "in most games")


def render_files(results: Iterable[Result]) -> dict[Path, str]:
    """Each file to write, and its new content."""
    results = list(results)
    defaults = [result for result in results if result.cell.is_default]
    tables = {
        "shares": _table(SHARE_HEAD, map(_share_row, results)),
        "uses": _table(USE_HEAD, _use_rows(defaults)),
        "names": _table(NAME_HEAD, _name_rows(defaults)),
    }
    page = page_with_sections(PAGE_PATH, tables)
    return {PAGE_PATH: page, PICTURE_PATH: render_starters(defaults) + "\n"}


def render_starters(results: Sequence[Result]) -> str:
    """The starter's share at every number of players, next to par."""
    rows = []
    for result in results:
        low, high = result.tally.interval(0)
        games, par = result.tally.games, result.tally.par
        name = f"{_rules_name(result)}, {result.cell.seats} players"
        rows.append(ChartRow(name, Score(games, result.tally.share(0), low, high, par)))
    return render_chart("The starter's share of victories between equal bots", rows)


def share_text(tally: Tally, order: int) -> str:
    """A share with half of its interval: "0.52 ± 0.05"."""
    low, high = tally.interval(order)
    return f"{tally.share(order):.2f} ± {(high - low) / 2:.2f}"


def _share_row(result: Result) -> list[str]:
    cell, tally = result.cell, result.tally
    decisions = median_of(tally.decisions)
    skill = result.skill
    return [
        _rules_name(result),
        str(cell.seats),
        cell.variant,
        result.bot,
        ", ".join(share_text(tally, order) for order in range(cell.seats)),
        f"{tally.starter_ratio:.2f}",
        str(decisions),
        str(median_of(tally.turns)),
        f"{decisions * SECONDS_PER_DECISION / 60:.0f}",
        f"{tally.decided_early / tally.games:.2f}",
        f"{tally.lead_changes / tally.games:.2f}",
        "" if skill is None else f"{skill.share:.2f} [{skill.low:.2f}, {skill.high:.2f}]",
        str(tally.games),
    ]


def _rules_name(result: Result) -> str:
    return name_of_rules(*result.cell.ruleset, result.cell.engine.about.title)


def _by_rules(results: Sequence[Result]) -> Mapping[str, Tally]:
    """The sums of uses over all numbers of seats."""
    merged: dict[str, Tally] = defaultdict(Tally)
    for result in results:
        merged[_rules_name(result)].merge_uses(result.tally)
    return merged


def _use_rows(results: Sequence[Result]) -> Iterator[list[str]]:
    """How often each kind of action and effect occurs."""
    for rules, tally in _by_rules(results).items():
        for name, uses in sorted(tally.uses.items(), key=lambda item: -item[1].games):
            if " " not in name:
                shares = (f"{number / tally.games:.3f}" for number in (uses.games, uses.often))
                yield [rules, name, *shares, f"{uses.total / tally.games:.1f}"]


def _name_rows(results: Sequence[Result]) -> Iterator[list[str]]:
    """For each kind that has names, such as cards, the rarest and the commonest."""
    for rules, tally in _by_rules(results).items():
        games_by_kind: dict[str, dict[str, int]] = defaultdict(dict)
        for key, uses in tally.uses.items():
            kind, _, name = key.partition(" ")
            if name:
                games_by_kind[kind][name] = uses.games
        for kind, games in sorted(games_by_kind.items()):
            ordered = sorted(games, key=lambda name: (games[name], name))
            few, many = ordered[:3], ordered[-1:-4:-1]
            texts = (
                ", ".join(f"{name} {games[name] / tally.games:.3f}" for name in names)
                for names in (few, many)
            )
            yield [rules, kind, str(len(games)), *texts]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return table_lines([head, ["---"] * len(head), *rows])
