"""Which processes make a server, and how is each started?"""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from config.supervisor.heartbeat import Patience

PARTS: Final = ("web", "worker", "sweeper")
BOTS: Final = "bots"  # a queue, and others for whatever else there is to do:
ANALYSES: Final = "analyses"  # who only wants to know keeps no bot waiting …
ERRANDS: Final = "default"  # … and neither does a slow receiver of webhooks
USUAL: Final = Patience()
LONGEST_STEP: Final = 60.0  # seconds of a sweeper: above the time limit of a statement


@dataclass(frozen=True)
class Part:
    """A process to keep alive: a Python module with its arguments, what it inherits, and for how
    long it may be silent (None: it tells nothing)."""

    name: str
    command: tuple[str, ...]
    inherits: tuple[int, ...] = ()
    patience: Patience | None = None


def web(descriptor: int, patience: Patience = USUAL) -> Part:
    """The web server. Its socket is the supervisor's, so that a caller who comes while it is being
    restarted waits instead of being turned away."""
    return Part("web", ("config.web", str(descriptor)), (descriptor,), patience)


def worker(concurrency: int, patience: Patience = USUAL) -> Part:
    """Celery's worker, with as many processes as bots may think at once."""
    return _worker("worker", BOTS, concurrency, patience)


def analysts(concurrency: int, patience: Patience = USUAL) -> Part:
    """Celery's worker for those who want to know what bots think: when these have nothing to do."""
    return _worker("analysts", ANALYSES, concurrency, patience)


def errands(patience: Patience = USUAL) -> Part:
    """Celery's worker for what is no thinking."""
    return _worker("errands", ERRANDS, 1, patience)


def _worker(name: str, queue: str, concurrency: int, patience: Patience) -> Part:
    options = ["--pool=prefork", f"--concurrency={concurrency}", f"--queues={queue}"]
    quiet = ["--loglevel=WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    node = f"--hostname={name}@%h"
    command = ("celery", "--quiet", "--app=config", "worker", node, *options, *quiet)
    return Part(name, command, patience=patience)


def sweeper(patience: Patience = USUAL) -> Part:
    """The watch over tables at which nothing happens. What it does for one game may take long on a
    database that is slow."""
    seconds = max(LONGEST_STEP, patience.silence, patience.idle)
    patience = replace(patience, silence=seconds, idle=seconds)
    return Part("sweeper", ("django", "sweep"), patience=patience)


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
