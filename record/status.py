"""The status of the record: its size, its last checkpoint, the games that wait, and this machine's
standing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from record.asking import witness_lines
from record.growth import read_tree
from record.integrator import due_games
from record.models import SignedCheckpoint
from record.signing import latest_checkpoint
from record.standing import Stand, standing_towards

STANDING_SENTENCES: Final = {
    Stand.UNSIGNED: "unsigned: `manage.py record init ORIGIN` begins",
    Stand.SIGNS: "signs",
    Stand.ELSEWHERE: "another machine has the guard and signs",
    Stand.REFUSED: "refuses to sign",
}


@dataclass(frozen=True)
class Figures:
    """The figures that every machine can read from the database."""

    origin: str
    size: int
    checkpoint: SignedCheckpoint | None
    waits_since: datetime | None  # the end of the earliest game without a leaf

    def wait(self, now: datetime) -> timedelta:
        """How long that game has waited."""
        return max(timedelta(0), now - self.waits_since) if self.waits_since else timedelta(0)

    def checkpoint_age(self, now: datetime) -> timedelta | None:
        """The age of the last checkpoint, if there is one."""
        return max(timedelta(0), now - self.checkpoint.at) if self.checkpoint else None


def read_figures() -> Figures:
    """The figures as they are now."""
    tree = read_tree()
    waits_since = due_games().values_list("at", flat=True).first()
    return Figures(tree.origin, tree.size, latest_checkpoint(), waits_since)


def status_lines() -> list[str]:
    """The status for an operator."""
    figures, standing = read_figures(), standing_towards(read_tree())
    now = timezone.now()
    checkpoint = figures.checkpoint
    wait = f"the earliest has waited for {figures.wait(now).total_seconds():.0f} s"
    lines = [
        f"origin: {figures.origin or 'none'}",
        f"leaves: {figures.size}",
        f"checkpoint: {checkpoint.size} leaves, at {checkpoint.at:%Y-%m-%d %H:%M:%S} UTC"
        if checkpoint
        else "checkpoint: none",
        f"games without a leaf: {wait if figures.waits_since else 'none'}",
        f"this machine: {STANDING_SENTENCES[standing.stand]}",
    ]
    if standing.guard:
        lines.append(f"guard: {standing.guard.size} leaves of {standing.guard.origin}")
    if standing.reason:
        lines.append(f"reason: {standing.reason}")
    return [*lines, *witness_lines(checkpoint, now)]
