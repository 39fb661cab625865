"""Which processes make a server, and how is each started?"""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PARTS: Final = ("web", "worker", "sweeper")
BOTS: Final = "bots"  # a queue, and others for whatever else there is to do:
ANALYSES: Final = "analyses"  # who only wants to know keeps no bot waiting …
ERRANDS: Final = "default"  # … and neither does a slow receiver of webhooks


@dataclass(frozen=True)
class Part:
    """A process to keep alive: a Python module with its arguments, and what it inherits."""

    name: str
    command: tuple[str, ...]
    inherits: tuple[int, ...] = ()


def web(descriptor: int) -> Part:
    """The web server. Its socket is the supervisor's, so that a caller who comes while it is being
    restarted waits instead of being turned away."""
    return Part("web", ("config.web", str(descriptor)), (descriptor,))


def worker(concurrency: int) -> Part:
    """Celery's worker, with as many processes as bots may think at once."""
    return _worker("worker", BOTS, concurrency)


def analysts(concurrency: int) -> Part:
    """Celery's worker for those who want to know what bots think: when these have nothing to do."""
    return _worker("analysts", ANALYSES, concurrency)


def errands() -> Part:
    """Celery's worker for what is no thinking."""
    return _worker("errands", ERRANDS, 1)


def _worker(name: str, queue: str, concurrency: int) -> Part:
    options = ["--pool=prefork", f"--concurrency={concurrency}", f"--queues={queue}"]
    quiet = ["--loglevel=WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    node = f"--hostname={name}@%h"
    return Part(name, ("celery", "--quiet", "--app=config", "worker", node, *options, *quiet))


def sweeper() -> Part:
    """The watch over tables at which nothing happens."""
    return Part("sweeper", ("django", "sweep"))


def listening(host: str, port: int) -> int:
    """The descriptor of a socket on which callers may queue at once; it is open until we end."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024).detach()


def surroundings(source: Path) -> dict[str, str]:
    """The environment of a part: ours, with the place of this code."""
    found = [str(source), *filter(None, [os.environ.get("PYTHONPATH")])]
    ours = {"PYTHONPATH": os.pathsep.join(found), "PYTHONUNBUFFERED": "1"}
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings"}
    return {**settings, **os.environ, **ours}


def python(command: tuple[str, ...]) -> list[str]:
    """A part's command line: it dies with us."""
    return [sys.executable, "-m", "config.supervisor", str(os.getpid()), *command]
