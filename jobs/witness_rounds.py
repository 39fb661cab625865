"""The rounds in which witnesses are asked: in a thread of their own, so that neither the rounds of
the sweeper nor the record wait for a witness."""

from __future__ import annotations

from threading import Thread
from typing import Final

from django.conf import settings
from django.db import connections
from django.utils import timezone

from jobs.sweeper_backoff import Backoff
from record.asking import ask, configured_policy, due_witnesses
from record.models import SignedCheckpoint
from record.policy import Party
from record.signing import latest_checkpoint

MAX_PAUSE_SECONDS: Final = 300.0


class WitnessRounds:
    """The thread of this process, and the failures that it remembers."""

    def __init__(self) -> None:
        self.failing = Backoff()
        self._thread: Thread | None = None

    def run(self) -> None:
        """Begin to ask the witnesses that are due, unless others are being asked. Only the machine
        that signs asks."""
        if (self._thread and self._thread.is_alive()) or not settings.RECORD_GUARD.exists():
            return
        policy, checkpoint = configured_policy(), latest_checkpoint()
        if policy is None or checkpoint is None:
            return
        due = due_witnesses(policy, checkpoint, timezone.now())
        parties = [party for party in due if self.failing.is_due(name_of(party))]
        if parties:
            self._thread = Thread(
                target=self._ask, args=(parties, checkpoint), name="witnesses", daemon=True
            )
            self._thread.start()

    def wait(self) -> None:
        """Wait until the witnesses have answered."""
        if self._thread:
            self._thread.join()

    def _ask(self, parties: list[Party], checkpoint: SignedCheckpoint) -> None:
        try:
            self.ask(parties, checkpoint)
        except Exception as problem:  # noqa: BLE001  # logged; asked again in a later round
            for party in parties:
                self.failing.log_failure(name_of(party), problem, MAX_PAUSE_SECONDS)
        finally:
            connections.close_all()

    def ask(self, parties: list[Party], checkpoint: SignedCheckpoint) -> None:
        """Ask these witnesses; one that fails is asked again after a growing pause."""
        for party, problem in ask(parties, checkpoint, timezone.now()).items():
            if problem is None:
                self.failing.record_success(name_of(party))
            else:
                self.failing.log_failure(name_of(party), problem, MAX_PAUSE_SECONDS)


def name_of(party: Party) -> str:
    """The witness in lines of the log."""
    return f"the witness {party.key.name} at {party.url}"


witness_rounds: Final = WitnessRounds()
