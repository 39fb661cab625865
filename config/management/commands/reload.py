"""`manage.py reload`: let the running server of this folder take over its code and settings as they
are now, without refusing a connection."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.supervisor import reload
from config.supervisor.handover import DRAIN_SECONDS
from config.supervisor.reload import Status

DEFAULT_PATIENCE_SECONDS: Final = 2 * DRAIN_SECONDS
POLL_SECONDS: Final = 0.05


class Command(BaseCommand):
    help = "Replace the processes of the running server by new ones, which run the present code."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--patience",
            type=float,
            default=DEFAULT_PATIENCE_SECONDS,
            help=f"seconds to wait for the old processes (default: {DEFAULT_PATIENCE_SECONDS:g})",
        )

    def handle(self, *_: Any, patience: float, **__: Any) -> None:
        """Ask all supervisors of the folder, such as those of web server and workers, and wait."""
        before = dict(statuses(reload.running_supervisors(settings.SUPERVISORS)))
        if not before:
            raise CommandError(f"No server runs on {settings.DATA}, on this machine.")
        for status in before.values():
            reload.ask_for_reload(status)
        deadline = monotonic() + patience
        while any(not has_answered(path, status) for path, status in before.items()):
            if monotonic() > deadline:
                raise CommandError("The old processes still run: see the log of the server.")
            sleep(POLL_SECONDS)
        self.report(before)

    def report(self, before: dict[Path, Status]) -> None:
        """Report the outcome."""
        now = dict(statuses(before))
        refused = [now[path] for path in now if now[path].refusals > before[path].refusals]
        if refused:
            raise CommandError(f"The server was not reloaded: {refused[0].problem}")
        if len(now) < len(before):
            raise CommandError("The server has ended: see its log.")
        self.stdout.write("The new processes have taken over.")


def statuses(paths: Iterable[Path]) -> Iterable[tuple[Path, Status]]:
    """The statuses that can be read."""
    for path in paths:
        if status := reload.read_status(path):
            yield path, status


def has_answered(path: Path, before: Status) -> bool:
    """Whether a supervisor has reloaded or refused to, or has ended."""
    now = reload.read_status(path)
    return not path.exists() or (now is not None and now.answers > before.answers)
