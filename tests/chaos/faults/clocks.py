"""Wall clocks that differ from the true time."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from typing import Final

from tests.chaos.faults.base import Fault
from tests.chaos.instance import ROOT

HOUR: Final = 3600.0
MONTH: Final = 30 * 24 * HOUR
# prints the time as a served process sees it
PRINT_TIME: Final = "from django.utils import timezone; print(timezone.now().timestamp())"


class ClockShift(Fault):
    """The wall clock of all served processes differs from the true time by an offset."""

    offset_seconds = 0.0  # from the true time

    def inject(self) -> None:
        self.instance.set_clock(self.offset_seconds)

    def is_in_effect(self) -> bool:
        """Whether a process in the served environment and the web server see the shifted time."""
        command = [sys.executable, "-c", PRINT_TIME]
        process = subprocess.run(
            command, env=self.instance.environment(), cwd=ROOT, capture_output=True, check=True
        )
        offset = float(process.stdout) - datetime.now(UTC).timestamp()
        return abs(offset - self.offset_seconds) < HOUR / 2 and self.is_seen_by_web_server()

    def is_seen_by_web_server(self) -> bool:
        """Whether the web server stores the shifted time."""
        guest = self.instance.client().request_document("POST", "/guests", {})
        created = datetime.fromisoformat(guest["account"]["created"])
        offset = created.timestamp() - datetime.now(UTC).timestamp()
        return abs(offset - self.offset_seconds) < HOUR / 2

    def heal(self) -> None:
        self.instance.set_clock(0)


class ClockBack(ClockShift):
    """The clock is a month slow."""

    offset_seconds = -MONTH


class ClockAhead(ClockShift):
    """The clock is an hour fast."""

    offset_seconds = HOUR
