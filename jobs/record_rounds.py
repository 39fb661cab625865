"""The rounds of the public record, after those of the sweeper: games that are over get their
leaves, in batches, the tree that has grown is signed, and its witnesses are asked."""

from __future__ import annotations

import logging
from typing import Any, Final

from django.dispatch import receiver

from jobs.sweeper_backoff import Backoff
from jobs.sweeper_hooks import sweep_finished, sweep_progressed
from jobs.witness_rounds import witness_rounds
from record.integrator import Integration, integrate
from record.signing import UnsignedError, sign_due

logger = logging.getLogger(__name__)

GAMES_PER_BATCH: Final = 250  # of one transaction, which others wait for on SQLite
BATCHES_PER_ROUND: Final = 4
GROWTH: Final = "the growth of the record"
SIGNATURE: Final = "the signature of the record"
WITNESSES: Final = "the witnesses of the record"
MAX_PAUSE_SECONDS: Final = 60.0


class RecordRounds:
    """The rounds of this process, and the failures that they remember."""

    def __init__(self) -> None:
        self.failing_games = Backoff()
        self.failing_steps = Backoff()
        self._waiting: set[str] = set()  # games whose leaves could not be made
        self._refusal = ""

    def grow(self) -> None:
        """Give the games that are due their leaves, a bounded number in each round."""
        for _ in range(BATCHES_PER_ROUND):
            paused = {game for game in self._waiting if not self.failing_games.is_due(game)}
            outcome = integrate(GAMES_PER_BATCH, paused)
            self._remember(outcome)
            sweep_progressed.send_robust(None)
            if outcome.found < GAMES_PER_BATCH:
                return

    def _remember(self, outcome: Integration) -> None:
        """Let games whose leaves cannot be made wait, so that they block no others."""
        for game, problem in outcome.failures.items():
            self._waiting.add(game)
            self.failing_games.log_failure(game, problem)

    def sign(self) -> None:
        """Sign the tree. A refusal is logged when it begins, and nothing else stops."""
        try:
            sign_due()
        except UnsignedError as problem:
            if str(problem) != self._refusal:
                logger.error("The record is not signed: %s", problem)
            self._refusal = str(problem)
        else:
            self._refusal = ""

    def run(self) -> None:
        """Do all of it. A failure is logged, and the next step follows."""
        steps = {GROWTH: self.grow, SIGNATURE: self.sign, WITNESSES: witness_rounds.run}
        for name, step in steps.items():
            if not self.failing_steps.is_due(name):
                continue
            try:
                step()
            except Exception as problem:  # noqa: BLE001  # play goes on without the record
                self.failing_steps.log_failure(name, problem, MAX_PAUSE_SECONDS)
            else:
                self.failing_steps.record_success(name)


record_rounds: Final = RecordRounds()


@receiver(sweep_finished)
def run_after_sweep(**_: Any) -> None:
    """Let the record grow and be signed after each round of the sweeper."""
    record_rounds.run()
