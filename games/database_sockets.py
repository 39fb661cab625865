"""Whether the server has closed an idle connection to PostgreSQL, by asking the operating system
instead of the server."""

from __future__ import annotations

import select
from typing import Any


def is_open(driver: Any) -> bool:
    """Whether a connection, if there is one, can be used when it awaits nothing. The server sends
    nothing to it but its end, so that one with something to read is closed, or will be replaced
    for no great cost."""
    if driver is None or driver.closed:
        return False
    poll = select.poll()
    poll.register(driver.fileno(), select.POLLIN)
    return not poll.poll(0)
