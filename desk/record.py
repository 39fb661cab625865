"""The record of the looks of staff, among the actions of operators."""

from __future__ import annotations

from games import services
from games.column_lengths import ID_LENGTH, REASON_LENGTH


def record(staff: str, action: str, target: str, detail: str = "") -> None:
    """Record an action of a member of staff; long texts are cut."""
    target, detail = target[:ID_LENGTH], detail[:REASON_LENGTH]
    services.record_staff_action(action, target, detail, staff=f"desk: {staff}"[:100])


def record_by_operator(action: str, name: str) -> None:
    """Record that the operator who runs this process has added or removed a member of staff."""
    services.record_staff_action(action, "desk", name[:REASON_LENGTH])
