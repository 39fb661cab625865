"""The verification of the games of the record by ranges of leaves, by one process or several. What
an earlier verification found of the same rows under the same rules is not found again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Final

from games import audit
from games.audit import quick_verifier
from games.audit.stored_rows import digest_rows
from games.audit.verification_jobs import map_in_processes
from games.models import Game
from record.ledger import Cell, Range
from tabularium_engines.installed import registry
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log import audit as exports
from tabularium_log import fairness, projection
from tabularium_log.audit.verdict import Verdict

# the code that verifies, besides the rules
VERIFYING: Final = (audit, exports, fairness, projection)


@dataclass(frozen=True)
class Task:
    """A range to verify for a ledger, and the cells that are known of it."""

    number: int  # of the ledger
    first: int
    last: int
    known: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """A verified range."""

    range: Range
    verdicts: list[Verdict]  # of the games that were verified now
    kept: int  # games that are as good as before


def verify_ranges(tasks: Iterable[Task], jobs: int) -> Iterator[Outcome]:
    """The outcome of each range, in order."""
    if jobs == 1:
        return map(verify_range, tasks)
    return map_in_processes(verify_range, tasks, jobs)


def verify_range(task: Task) -> Outcome:
    """Verify the games of a range whose rows or rules are not those that were verified before."""
    cells, verdicts, kept = list[Cell](), list[Verdict](), 0
    for (rules, version), games in _games_by_ruleset(task.first, task.last):
        rows, entries = digest_rows(games)
        sources = sources_of(rules, version)
        cell = Cell(rules, version, len(games), entries, rows, sources, since=task.number)
        known = next(filter(cell.has_same_games, task.known), None)
        if known is not None and known.is_good:
            cells.append(known)
            kept += cell.games
        else:
            found = list(quick_verifier.verify_games(games))
            cells.append(_judged(cell, found))
            verdicts += found
    return Outcome(Range(task.first, task.last, tuple(cells)), verdicts, kept)


def _games_by_ruleset(first: int, last: int) -> Iterator[tuple[tuple[str, int], Sequence[str]]]:
    """The games that the leaves of a range are about, by ruleset, in the order of their leaves."""
    rows = Game.objects.filter(leaf__range=(first, last)).order_by("rules", "version", "leaf")
    for ruleset, group in groupby(
        rows.values_list("rules", "version", "pk"), lambda row: (row[0], row[1])
    ):
        yield ruleset, [game for *_, game in group]


def _judged(cell: Cell, verdicts: Sequence[Verdict]) -> Cell:
    """A cell with the verdicts on its games."""
    unchecked = [each for each in verdicts if each.is_locked or not each.has_rules]
    bad = [each for each in verdicts if not each.is_good and each not in unchecked]
    return replace(
        cell,
        bad=tuple(each.game for each in bad),
        unchecked=tuple(each.game for each in unchecked),
    )


@cache
def sources_of(rules: str, version: int) -> str:
    """The digest of the source of a ruleset; empty if it is not installed."""
    try:
        return registry.ruleset_digest(rules, version)
    except RulesetNotInstalled:
        return ""


@cache
def verifier_digest() -> str:
    """The digest of the code that verifies, besides the rules."""
    content = sha256()
    for package in VERIFYING:
        for path in sorted(Path(package.__path__[0]).glob("*.py")):
            content.update(f"{package.__name__}.{path.stem}\0".encode())
            content.update(sha256(path.read_bytes()).digest())
    return content.hexdigest()
