"""Starting any part of a server with other keys."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from bench.ports import free_port
from tests.support import warm_interpreter
from tests.support.databases import ROOT, Kept

EXIT_TIMEOUT: Final = 120  # seconds until a refusing server has exited, even on a busy machine
WEB: Final = """
import socket, sys
from config import web
sys.argv[1:] = [str(socket.create_server(("127.0.0.1", 0)).detach())]
web.main()
"""
PARTS: Final = {
    "serve": ["manage.py", "serve"],
    "serve, a part": ["manage.py", "serve", "--only", "worker"],
    "web": ["-c", WEB],
    "another web server": ["-m", "uvicorn", "config.asgi:application"],
    "WSGI": ["-c", "import config.wsgi"],
    "worker": ["-m", "celery", "-A", "config", "worker", "--pool=solo"],
    "sweeper": ["manage.py", "sweep"],
    "a command that writes": ["manage.py", "ratings"],
}


def main(_: list[str]) -> None:
    """Run in a process of its own: create a game on a server that has started with its keys."""
    from config.keys.start_refusal import is_confirmed
    from games import services
    from games.services import SeatAssignment

    assert is_confirmed()
    services.create_game("law_of_the_dice", [SeatAssignment(bot="random")] * 2)


def environment(kept: Kept, folder: Path, **keys: str) -> dict[str, str]:
    """The environment of a server with the keys in a folder, or with those given by letters."""
    env = {**kept.environment, "TABULARIUM_DATA": str(folder), "PORT": str(free_port())}
    for name in ("SIGNING", "SEALING"):
        del env[f"TABULARIUM_{name}_KEYS"]
        if name in keys:
            env[f"TABULARIUM_{name}_KEYS"] = ",".join(
                letter.encode().hex() * 32 for letter in keys[name]
            )
    return env


def create_game(env: dict[str, str]) -> None:
    """Create a game by a server that starts with these variables."""
    start = "import django; django.setup(); from tests.config.keys.starting import main; main([])"
    process = run(env, ["-c", start])
    assert process.returncode == 0, process.stderr


def run(env: dict[str, str], command: list[str]) -> Any:
    """Run a command to its end."""
    return warm_interpreter.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=EXIT_TIMEOUT,
    )


def refusal(env: dict[str, str], command: list[str]) -> str:
    """The one sentence of a server that refuses to start, without a traceback."""
    process = run(env, command)
    assert process.returncode not in (0, -9), process
    assert "Traceback" not in process.stderr, process.stderr
    (sentence,) = [line for line in process.stderr.splitlines() if "manage.py keys adopt" in line]
    return str(sentence).split("(config.E001) ")[-1].removeprefix("CommandError: ")


def files(folder: Path) -> set[str]:
    """The names of the files in a folder."""
    return {path.name for path in folder.glob("*")}
