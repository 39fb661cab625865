"""Wall clocks that are wrong."""

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


class Clock(Fault):
    """The wall clock of all served processes is wrong, and is corrected again."""

    ahead = 0.0  # seconds

    def inject(self) -> None:
        self.instance.set_clock(self.ahead)

    def is_in_effect(self) -> bool:
        """Whether a process in the served environment and the web server see the shifted time."""
        command = [sys.executable, "-c", PRINT_TIME]
        process = subprocess.run(
            command, env=self.instance.environment(), cwd=ROOT, capture_output=True, check=True
        )
        offset = float(process.stdout) - datetime.now(UTC).timestamp()
        return abs(offset - self.ahead) < HOUR / 2 and self.is_seen_by_web_server()

    def is_seen_by_web_server(self) -> bool:
        """Whether the web server has written such a time."""
        created = self.instance.caller().demand("POST", "/guests", {})["account"]["created"]
        offset = datetime.fromisoformat(created).timestamp() - datetime.now(UTC).timestamp()
        return abs(offset - self.ahead) < HOUR / 2

    def heal(self) -> None:
        self.instance.set_clock(0)


class ClockBack(Clock):
    """The clock is set back a month."""

    ahead = -MONTH


class ClockAhead(Clock):
    """The clock is set an hour ahead, and back again."""

    ahead = HOUR
