"""examples/bot.py plays whole games even if replies are lost and its process is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from tests.config.processes import PATIENCE, soon
from tests.support import warm_interpreter
from tests.support.databases import ROOT
from tests.support.served import Served

pytestmark = pytest.mark.lane("clients")

KILLS: Final = 5
SHORT: Final = {"rules": "law_of_the_dice", "seats": [{"kind": "me"}, {"kind": "bot"}]}
LONG: Final = {  # in its four rounds each seat decides more than KILLS times
    "rules": "duel_edged_sword",
    "seats": [{"kind": "me"}, *[{"kind": "bot", "bot": "greedy"}] * 3],
}
NOTING: Final = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from bot import Bot

class Noting(Bot):
    def keep(self, **news):
        if news.get("due"):
            with Path("meant.ndjson").open("a") as file:
                file.write(json.dumps(news["due"]) + "\\n")
        super().keep(**news)

def choose(view, offers):
    return offers[len(json.dumps(view)) % len(offers)]

Noting(sys.argv[2], sys.argv[4], choose, body=json.loads(sys.argv[3])).play()
"""


class Player:
    """The example in a folder, which also records the actions that it is about to send."""

    def __init__(self, url: str, folder: Path, body: Any = SHORT) -> None:
        self.url, self.folder, self.body = url, folder, json.dumps(body)

    def start(self) -> subprocess.Popen[str]:
        """Start a process of the example."""
        return warm_interpreter.Popen(
            [
                sys.executable,
                "-c",
                NOTING,
                str(ROOT / "examples"),
                self.url,
                self.body,
                str(self.folder / "bot.json"),
            ],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            text=True,
        )

    def finish(self) -> str:
        """Let it play to the end; its output."""
        process = self.start()
        try:
            output, _ = process.communicate(timeout=2 * PATIENCE)
        finally:
            kill_process(process)
        assert process.returncode == 0
        return output

    @property
    def saved(self) -> Any:
        """The bot's saved state."""
        path = self.folder / "bot.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def intended(self) -> list[Any]:
        """The actions that it was about to send, in order; for each choice, the last one."""
        path = self.folder / "meant.ndjson"
        lines = path.read_text().splitlines() if path.exists() else []
        return list({due["choice"]: due["action"] for due in map(json.loads, lines)}.values())


def example(url: str, state: Path) -> subprocess.CompletedProcess[str]:
    """Run the example as its readers do, with a folder for its state."""
    return warm_interpreter.run(
        [sys.executable, str(ROOT / "examples" / "bot.py"), url],
        cwd=state,
        env=os.environ | {"XDG_STATE_HOME": str(state)},
        capture_output=True,
        text=True,
        check=False,
    )


def kill_process(process: subprocess.Popen[str]) -> None:
    """Kill the process, if it still runs."""
    process.kill()
    process.communicate()


def logged_actions(served: Served, player: Player) -> list[Any]:
    """The actions of its seat in the log."""
    saved = player.saved
    log = served.ask(f"/games/{saved['game']}/log?limit=1000", saved["key"])["items"]
    own_actions = [entry["action"] for entry in log if entry["seat"] == 0]
    return [action for action in own_actions if not action["type"].startswith("table.")]


class Forgetful(BaseHTTPRequestHandler):
    """Forwards every request, and loses every third reply."""

    protocol_version = "HTTP/1.1"
    target = ""
    replies: Iterator[int] = count(1)

    def pass_on(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        connection = HTTPConnection(self.target, timeout=PATIENCE)
        connection.request(self.command, self.path, self.rfile.read(length), dict(self.headers))
        reply = connection.getresponse()
        content = reply.read()
        connection.close()
        self.close_connection = True
        if next(self.replies) % 3:
            self.send_response(reply.status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    do_GET = do_POST = pass_on  # noqa: N815  # the names that http.server calls

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture
def forgetful_proxy(served: Served) -> Iterator[str]:
    """The address of the forgetful proxy."""
    kind = type("Here", (Forgetful,), {"target": urlsplit(served.url).netloc, "replies": count(1)})
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_it_is_short() -> None:
    assert len((ROOT / "examples" / "bot.py").read_text().splitlines()) < 100


@pytest.mark.lane("smoke")
def test_a_whole_game(served: Served, tmp_path: Path) -> None:
    player = Player(served.url, tmp_path)
    output = player.finish()
    assert output.startswith(f"OK: {player.saved['game']}")
    assert logged_actions(served, player) == player.intended() != []
    assert len((tmp_path / "bot.receipts").read_text().splitlines()) == len(player.intended())
    assert player.finish().startswith(f"{player.saved['game']} is over and verified.")


def test_its_key_is_for_its_owner_alone(served: Served, tmp_path: Path) -> None:
    assert example(served.url, tmp_path).stdout.startswith("OK: ")
    (file,) = tmp_path.rglob("bot.json")
    assert file.parent.parent == tmp_path / "tabularium"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert example(served.url, tmp_path).stdout.endswith(f"To play again, delete {file}\n")


def test_killed_in_the_middle(served: Served, tmp_path: Path) -> None:
    player = Player(served.url, tmp_path, LONG)
    for kill in range(1, KILLS + 1):
        process = player.start()
        try:
            assert soon(lambda: len(player.intended()) >= kill)  # noqa: B023
        finally:
            kill_process(process)
    assert player.finish().startswith("OK: ")
    assert logged_actions(served, player) == player.intended()
    assert len(player.intended()) > KILLS


def test_replies_are_lost(served: Served, forgetful_proxy: str, tmp_path: Path) -> None:
    player = Player(forgetful_proxy, tmp_path)
    assert player.finish().startswith("OK: ")
    assert logged_actions(served, player) == player.intended() != []
    games = served.ask("/me/games", player.saved["key"])["items"]
    assert [game["id"] for game in games] == [player.saved["game"]]


def test_a_mistake_is_told(served: Served, tmp_path: Path) -> None:
    file = tmp_path / "tabularium" / urlsplit(served.url).netloc.replace(":", "_") / "bot.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"key": "tab_no"}')
    process = example(served.url, tmp_path)
    assert process.returncode == 1
    assert '"code": "unauthorized"' in process.stderr
    assert process.stderr.endswith(f"To begin anew, delete {file}\n")
