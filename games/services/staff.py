"""The record of the actions of operators."""

from __future__ import annotations

import getpass
import os

from games.column_lengths import REASON_LENGTH
from games.models import StaffAction


class NoteTooLong(ValueError):
    """A note of an operator is longer than its column."""

    def __init__(self) -> None:
        super().__init__(f"A note has at most {REASON_LENGTH} characters.")


def record_staff_action(
    action: str, target: str, detail: str = "", staff: str | None = None
) -> None:
    """Record an action of this member of staff, or of the operator who runs this process, in the
    present transaction. Raises NoteTooLong."""
    if len(detail) > REASON_LENGTH:
        raise NoteTooLong
    staff = staff or _operator()
    StaffAction.objects.create(staff=staff, action=action, target=target, detail=detail)


def _operator() -> str:
    """The name of this process's user; its number where it has no name, as in containers."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"
