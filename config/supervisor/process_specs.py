"""Which processes make a server, and how is each started?"""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from config.supervisor.heartbeat import HeartbeatTimeouts

SERVER_PARTS: Final = ("web", "worker", "sweeper")
BOTS_QUEUE: Final = "bots"  # a queue, and others for whatever else there is to do:
ANALYSES_QUEUE: Final = "analyses"  # who only wants to know keeps no bot waiting …
DEFAULT_QUEUE: Final = "default"  # … and neither does a slow receiver of webhooks
DEFAULT_TIMEOUTS: Final = HeartbeatTimeouts()
MAX_SWEEPER_STEP_SECONDS: Final = 60.0  # seconds of a sweeper: above the time limit of a statement


@dataclass(frozen=True)
class ProcessSpec:
    """A process to keep alive: a Python module with its arguments, what it inherits, and for how
    long it may be silent (None: it tells nothing)."""

    name: str
    command: tuple[str, ...]
    inherited_descriptors: tuple[int, ...] = ()
    timeouts: HeartbeatTimeouts | None = None


def web_process(descriptor: int, patience: HeartbeatTimeouts = DEFAULT_TIMEOUTS) -> ProcessSpec:
    """The web server. Its socket is the supervisor's, so that a caller who comes while it is being
    restarted waits instead of being turned away."""
    return ProcessSpec("web", ("config.web", str(descriptor)), (descriptor,), patience)


def bot_worker_process(
    concurrency: int, patience: HeartbeatTimeouts = DEFAULT_TIMEOUTS
) -> ProcessSpec:
    """Celery's worker, with as many processes as bots may think at once."""
    return _worker_process("worker", BOTS_QUEUE, concurrency, patience)


def analysis_worker_process(
    concurrency: int, patience: HeartbeatTimeouts = DEFAULT_TIMEOUTS
) -> ProcessSpec:
    """Celery's worker for those who want to know what bots think: when these have nothing to do."""
    return _worker_process("analysts", ANALYSES_QUEUE, concurrency, patience)


def default_worker_process(patience: HeartbeatTimeouts = DEFAULT_TIMEOUTS) -> ProcessSpec:
    """Celery's worker for what is no thinking."""
    return _worker_process("errands", DEFAULT_QUEUE, 1, patience)


def _worker_process(
    name: str, queue: str, concurrency: int, patience: HeartbeatTimeouts
) -> ProcessSpec:
    options = ["--pool=prefork", f"--concurrency={concurrency}", f"--queues={queue}"]
    quiet = ["--loglevel=WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    node = f"--hostname={name}@%h"
    command = ("celery", "--quiet", "--app=config", "worker", node, *options, *quiet)
    return ProcessSpec(name, command, timeouts=patience)


def sweeper_process(patience: HeartbeatTimeouts = DEFAULT_TIMEOUTS) -> ProcessSpec:
    """The watch over tables at which nothing happens. What it does for one game may take long on a
    database that is slow."""
    seconds = max(MAX_SWEEPER_STEP_SECONDS, patience.silence_seconds, patience.idle_seconds)
    patience = replace(patience, silence_seconds=seconds, idle_seconds=seconds)
    return ProcessSpec("sweeper", ("django", "sweep"), timeouts=patience)


def open_listener(host: str, port: int) -> int:
    """The descriptor of a socket on which callers may queue at once; it is open until we end."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=1024).detach()


def process_environment(source: Path) -> dict[str, str]:
    """The environment of a part: ours, with the place of this code."""
    found = [str(source), *filter(None, [os.environ.get("PYTHONPATH")])]
    ours = {"PYTHONPATH": os.pathsep.join(found), "PYTHONUNBUFFERED": "1"}
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings"}
    return {**settings, **os.environ, **ours}


def tethered_command(command: tuple[str, ...]) -> list[str]:
    """A part's command line: it dies with us."""
    return [sys.executable, "-m", "config.supervisor.run_tethered", str(os.getpid()), *command]
