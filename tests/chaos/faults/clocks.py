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
SHOWN: Final = "from django.utils import timezone; print(timezone.now().timestamp())"


class Clock(Fault):
    """The wall clock of all served processes is wrong, and is corrected again."""

    ahead = 0.0  # seconds

    def inject(self) -> None:
        self.instance.set_clock(self.ahead)

    def bites(self) -> bool:
        """Whether a process in the served environment and the web server see the shifted time."""
        line = [sys.executable, "-c", SHOWN]
        shown = subprocess.run(
            line, env=self.instance.environment(), cwd=ROOT, capture_output=True, check=True
        )
        wrong = float(shown.stdout) - datetime.now(UTC).timestamp()
        return abs(wrong - self.ahead) < HOUR / 2 and self.is_seen()

    def is_seen(self) -> bool:
        """Whether the web server has written such a time."""
        made = self.instance.caller().demand("POST", "/guests", {})["account"]["created"]
        wrong = datetime.fromisoformat(made).timestamp() - datetime.now(UTC).timestamp()
        return abs(wrong - self.ahead) < HOUR / 2

    def heal(self) -> None:
        self.instance.set_clock(0)


class ClockBack(Clock):
    """The clock is set back a month."""

    ahead = -MONTH


class ClockAhead(Clock):
    """The clock is set an hour ahead, and back again."""

    ahead = HOUR
