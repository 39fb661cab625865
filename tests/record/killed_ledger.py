"""A verification for a ledger, in a process that kills itself before a statement, beside a commit,
or beside a step of writing a file."""

from __future__ import annotations

import os

from django.core.management import call_command

from record import ledger_run
from tests.support.kill_points import killed_at


def main(arguments: list[str]) -> None:
    """Verify ranges of two leaves, and die at the point of that number, unless there are fewer."""
    folder, last = arguments
    ledger_run.LEAVES = 2  # type: ignore[misc]
    with killed_at(int(last)) as between_points:
        for name in ("fsync", "replace"):
            setattr(os, name, between_points(getattr(os, name)))
        call_command("verify", "--ledger", folder, "--resume", "--json")
