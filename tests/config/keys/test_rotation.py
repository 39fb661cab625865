"""A rotation of both keys, as docs/operating.md describes it, loses nothing while clients play and
bots answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from runpy import run_path
from threading import Event, Thread
from typing import Any, Final

import pytest

from bench.ports import free_port
from tests.config.keys.starting import PARTS, environment, refusal, run
from tests.config.processes import soon
from tests.support import warm_interpreter
from tests.support.databases import ROOT, Kept
from tests.support.served import Served

pytestmark = pytest.mark.lane("processes")

BOT: Final = ROOT / "examples" / "bot.py"
CLIENTS: Final = 2
LETTERS: Final = "abcdefgh"


class Client:
    """Plays one game after another, and verifies each with all receipts that it received."""

    def __init__(self, url: str, folder: Path, stopped: Event) -> None:
        self.url, self.folder, self.stopped = url, folder, stopped
        self.failures: list[str] = []
        self.games = 0
        self.thread = Thread(target=self.play)
        self.thread.start()

    def play(self) -> None:
        """Play until stopped; a game in progress is played to its end."""
        for number in count():
            if self.stopped.is_set():
                return
            folder = self.folder / str(number)
            folder.mkdir(parents=True)
            command = [sys.executable, str(BOT), self.url]
            process = warm_interpreter.run(
                command,
                cwd=folder,
                env=os.environ | {"XDG_STATE_HOME": str(folder)},
                capture_output=True,
                text=True,
                check=False,
            )
            self.games += 1
            if process.returncode:
                self.failures.append(process.stdout + process.stderr)


class RotatingServer:
    """A server that is restarted with other keys, always on the same port."""

    def __init__(self, kept: Kept, *parts: str) -> None:
        self.kept, self.port = kept, str(free_port())
        self.options = ["--concurrency=1", *(f"--only={part}" for part in parts)]
        self.url = f"http://127.0.0.1:{self.port}"

    def environment(self, sealing: str, signing: str) -> dict[str, str]:
        """The environment of the server with these keys."""
        env = environment(self.kept, self.kept.folder, SEALING=sealing, SIGNING=signing)
        return {**env, "PORT": self.port, "TABULARIUM_LIMITS": "off"}

    @contextmanager
    def running_with(self, sealing: str, signing: str) -> Iterator[dict[str, str]]:
        """Run the server with these keys."""
        env = self.environment(sealing, signing)
        command = [sys.executable, "manage.py", "serve", *self.options]
        process = warm_interpreter.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL)
        try:
            assert soon(Served(self.url, process.pid).is_answering)
            yield env
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait() == 0


def player_mid_game(url: str, file: Path) -> Any:
    """A player that has acted and pauses in the middle of a game."""
    player = run_path(str(BOT))["Bot"](url, file, lambda view, offers: offers[0])
    receipts = file.with_suffix(".receipts")
    while not receipts.exists():
        player.step("/games/" + player.kept.get("game", ""))
    return player


def keys_command_output(env: dict[str, str]) -> str:
    """The output of `manage.py keys`."""
    return str(run(env, ["manage.py", "keys"]).stdout)


def test_nothing_is_lost(
    kept: Kept, tmp_path: Path, games_count: Callable[[int, int], int]
) -> None:
    server, stopped = RotatingServer(kept), Event()
    old_letter, signing, paused_players = "a", "a", []
    with ExitStack() as stack:
        stack.callback(stopped.set)
        with server.running_with(old_letter, signing):
            clients = [Client(server.url, tmp_path / str(n), stopped) for n in range(CLIENTS)]
            paused_players.append(player_mid_game(server.url, tmp_path / "first.json"))
        for new_letter in LETTERS[1 : 1 + games_count(1, 7)]:
            with server.running_with(
                old_letter + new_letter, signing + new_letter
            ):  # all processes have it before it is used
                pass
            signing = new_letter + signing
            with server.running_with(new_letter + old_letter, signing) as env:
                paused_players.append(player_mid_game(server.url, tmp_path / f"{new_letter}.json"))
                assert run(env, ["manage.py", "keys", "reseal"]).returncode == 0
                assert "sealing" in keys_command_output(env)
            old_letter = new_letter
        with server.running_with(old_letter, signing) as env:
            for player in paused_players:
                player.play()
            stopped.set()
            for client in clients:
                client.thread.join()
    assert [client.failures for client in clients] == [[]] * CLIENTS
    assert all(client.games for client in clients)
    process = run(server.environment(LETTERS, signing), ["manage.py", "verify"])
    assert process.returncode == 0, process.stdout
    environment_of_last_key = server.environment(old_letter, old_letter)
    assert run(environment_of_last_key, [*PARTS["sweeper"], "--once"]).returncode == 0


@pytest.mark.parametrize("kind", ["sealing", "signing"])
def test_a_step_left_out_is_refused(kind: str, kept: Kept, tmp_path: Path) -> None:
    server = RotatingServer(kept, "web", "worker")
    with server.running_with("a", "a"):
        player_mid_game(server.url, tmp_path / "game.json")
    keys = {"sealing": ("b", "a"), "signing": ("a", "b")}[kind]
    assert "are not those of its database" in refusal(server.environment(*keys), PARTS["serve"])
    with server.running_with(*(f"{new}a" if new == "b" else new for new in keys)):
        pass
    assert "was removed too early" in refusal(server.environment(*keys), PARTS["serve"])
