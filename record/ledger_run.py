"""A verification of all games for the next ledger: first the games of the record, range by range,
and then those that have no leaf yet, which no ledger knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from games.audit import stored_game_verifier, verification_jobs
from record.growth import read_tree
from record.ledger import Cell, Header
from record.ledger_folder import newest_ledger, unfinished_ledger
from record.range_verifier import Task, verifier_digest, verify_ranges
from tabularium_log.audit.verdict import Verdict

LEAVES: Final = 1_000  # of a range


class LedgerRun:
    """The run, which reports ledgers that it does not trust."""

    def __init__(self, folder: Path, jobs: int, report: Callable[[str], None]) -> None:
        self._folder, self._jobs, self._report = folder, jobs, report
        self.summary = ""  # in the end

    def verdicts(self, *, may_resume: bool) -> Iterator[Verdict]:
        """The verdict on each game that is verified now; then the ledger is closed."""
        size, kept = read_tree().size, 0
        with unfinished_ledger(self._folder, verifier_digest()) as ledger:
            known = self._known_cells(ledger.header)
            if may_resume:
                ledger.resume(LEAVES)
            else:
                ledger.begin()
            kept = sum(cell.games for range_ in ledger.ranges for cell in range_.cells)
            start = ledger.ranges[-1].last + 1 if ledger.ranges else 0
            tasks = [
                Task(ledger.header.number, first, last, known.get(first, ()))
                for first in range(start, size, LEAVES)
                for last in [min(first + LEAVES, size) - 1]
            ]
            for outcome in verify_ranges(tasks, self._jobs):
                ledger.add(outcome.range)
                kept += outcome.kept
                yield from outcome.verdicts
            path = ledger.close()
        yield from verification_jobs.verify_games(stored_game_verifier.game_ids(size), self._jobs)
        self.summary = f"{kept} games are good by earlier verifications. {path} is written."

    def _known_cells(self, header: Header) -> dict[int, tuple[Cell, ...]]:
        """The cells of the newest ledger by the first leaf of their range, if the same code
        verified for it."""
        ledger = newest_ledger(self._folder, self._report)
        if ledger is None:
            return {}
        if ledger.header.verifier != header.verifier:
            self._report(
                f"All games are verified anew: other code than this one verified for ledger "
                f"{ledger.header.number}."
            )
            return {}
        return {range_.first: range_.cells for range_ in ledger.ranges}
