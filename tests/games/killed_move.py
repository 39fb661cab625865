"""The move of all logs, in a process that kills itself before a statement or beside a commit."""

from __future__ import annotations

from io import StringIO

from django.core.management import call_command

from tests.support.kill_points import killed_at


def main(arguments: list[str]) -> None:
    """Move all logs, and die at the point of that number, unless there are fewer."""
    (last,) = map(int, arguments)
    with killed_at(last):
        call_command("move_logs", stdout=StringIO())
