"""A round of the record, in a process that kills itself before a statement, beside a commit, or
beside a step of writing the guard."""

from __future__ import annotations

import os
from datetime import timedelta

from django.utils import timezone

from record.integrator import integrate
from record.signing import sign_due
from tests.support.kill_points import killed_at


def main(arguments: list[str]) -> None:
    """Integrate and sign, and die at the point of that number, unless there are fewer."""
    (last,) = map(int, arguments)
    with killed_at(last) as between_points:
        for name in ("fsync", "replace"):
            setattr(os, name, between_points(getattr(os, name)))
        integrate(2)
        sign_due(timezone.now() + timedelta(hours=last))  # the one before is old enough
