"""Every message of the spool has exactly one holder, whichever process is killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import takewhile
from pathlib import Path
from typing import Final

import pytest

from config.spool import message_folders
from config.spool.message_folders import Spool
from tests.support import warm_interpreter

ROOT: Final = Path(__file__).parents[3]
CLAIM_ALL: Final = """
import sys
from pathlib import Path
from config.spool.message_folders import Spool
spool = Spool(Path(sys.argv[1]))
sys.stdin.readline()
while claimed := spool.claim("bots"):
    print(claimed[1])
    if "acknowledge" in sys.argv:
        spool.acknowledge("bots", claimed[0])
print("end", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def other_process(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process, which claims and holds all messages once it reads a line."""
    with start_claiming(tmp_path) as process:
        yield process
        process.kill()


def start_claiming(spool: Path, *options: str) -> subprocess.Popen[str]:
    """Start a process that claims messages."""
    return warm_interpreter.Popen(
        [sys.executable, "-c", CLAIM_ALL, str(spool), *options],
        cwd=ROOT,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def claim_all(process: subprocess.Popen[str]) -> list[str]:
    """Let the process claim; the messages that it claimed."""
    assert process.stdin
    assert process.stdout
    process.stdin.write("\n")
    process.stdin.flush()
    claimed = takewhile(lambda line: line != "end\n", iter(process.stdout.readline, ""))
    return [line.strip() for line in claimed]


def files(spool: Spool) -> list[str]:
    """All files in the spool, except the locks."""
    paths = spool.ready_folder.parent.rglob("*")
    return [path.name for path in paths if path.is_file() and path.suffix != ".lock"]


class TestMessages:
    def test_come_in_the_order_in_which_they_were_published(self, spool: Spool) -> None:
        for number in range(20):
            spool.publish("bots", str(number))
        assert [claim(spool)[1] for _ in range(20)] == [str(number) for number in range(20)]
        assert spool.claim("bots") is None

    def test_are_gone_when_they_are_acknowledged(self, spool: Spool) -> None:
        spool.publish("bots", "think")
        name, _ = claim(spool)
        assert files(spool) == [name]
        spool.acknowledge("bots", name)
        spool.acknowledge("bots", name)
        assert not files(spool)

    def test_that_are_given_back_have_their_old_place(self, spool: Spool) -> None:
        for text in ("first", "second"):
            spool.publish("bots", text)
        name, _ = claim(spool)
        spool.give_back("bots", name)
        assert sorted(claim(spool)[1] for _ in range(2)) == ["first", "second"]
        spool.publish("bots", "third")
        name, text = claim(spool)
        spool.give_back("bots", name)
        spool.publish("bots", "fourth")
        assert claim(spool) == (f"{name}~", text)

    def test_of_one_queue_are_not_those_of_another(self, spool: Spool) -> None:
        spool.declare("a/../b")
        spool.publish("a/../b", "elsewhere")
        assert spool.claim("bots") is None
        assert claim(spool, "a/../b")[1] == "elsewhere"

    def test_can_be_published_after_the_spool_was_removed(self, spool: Spool) -> None:
        shutil.rmtree(spool.ready_folder.parent)
        spool.publish("bots", "think")
        assert spool.size("bots") == 1

    def test_are_counted_and_purged(self, spool: Spool) -> None:
        for number in range(3):
            spool.publish("bots", str(number))
        assert spool.size("bots") == 3
        assert spool.purge("bots") == 3
        assert spool.claim("bots") is None


class TestSeveralProcesses:
    def test_claim_every_message_once(self, spool: Spool) -> None:
        for number in range(600):
            spool.publish("bots", str(number))
        processes = [start_claiming(spool.ready_folder.parent, "acknowledge") for _ in range(4)]
        with ThreadPoolExecutor(4) as executor:
            claimed_texts = list(executor.map(claim_all, processes))
        for process in processes:
            process.communicate("\n")
        assert sorted(int(text) for texts in claimed_texts for text in texts) == list(range(600))
        assert not files(spool)

    def test_keep_what_they_claimed_while_they_live(
        self, spool: Spool, other_process: subprocess.Popen[str]
    ) -> None:
        spool.publish("bots", "think")
        assert claim_all(other_process) == ["think"]
        spool.restore()
        assert spool.claim("bots") is None

    def test_lose_what_they_claimed_when_they_are_killed(
        self, spool: Spool, other_process: subprocess.Popen[str]
    ) -> None:
        for text in ("first", "second"):
            spool.publish("bots", text)
        assert claim_all(other_process) == ["first", "second"]
        other_process.send_signal(signal.SIGKILL)
        other_process.wait()
        spool.restore()
        assert [claim(spool)[1] for _ in range(2)] == ["first", "second"]
        assert len(list(spool.claims_folder.glob("*.lock"))) == 1, "the dead one left nothing"

    def test_that_are_forked_do_not_hold_what_their_parent_claimed(self, spool: Spool) -> None:
        spool.publish("bots", "think")
        source = f"""
import os, signal, sys, time
from pathlib import Path
from config.spool.message_folders import Spool
Spool(Path({str(spool.ready_folder.parent)!r})).claim("bots")
child = os.fork()
if child:
    print(child, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
time.sleep(30)
"""
        process = warm_interpreter.Popen(
            [sys.executable, "-c", source], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout
        child = int(process.stdout.readline())
        process.wait()
        try:
            spool.restore()
            assert claim(spool)[1] == "think"
        finally:
            os.kill(child, signal.SIGKILL)
            process.stdout.close()


class TestRestoring:
    def test_happens_by_itself_but_not_at_every_look(
        self, spool: Spool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        restore_calls: list[str] = []
        now = [0.0]
        monkeypatch.setattr(message_folders, "monotonic", lambda: now[0])
        monkeypatch.setattr(spool, "restore", lambda: restore_calls.append("look"))
        spool.last_restore_at = -message_folders.RESTORE_INTERVAL_SECONDS
        for _ in range(250):
            spool.claim("bots")
            now[0] += 0.01
        assert len(restore_calls) == 3

    def test_removes_what_dead_publishers_left(self, spool: Spool) -> None:
        old, new = spool.drafts_folder / "old", spool.drafts_folder / "new"
        for draft in (old, new):
            draft.write_text("half")
        os.utime(old, (0, 0))
        spool.restore()
        assert files(spool) == ["new"]


def test_nothing_grows(spool: Spool) -> None:
    for number in range(200):
        spool.publish("bots", str(number))
        name, _ = claim(spool)
        spool.acknowledge("bots", name)
    spool.restore()
    assert not files(spool)
    assert len(list(spool.claims_folder.iterdir())) == 2, "our folder and its lock"


def test_an_idle_look_reads_one_folder(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    spool.claim("bots")
    folders_listed: list[Path] = []
    real_listdir = os.listdir

    def record_folder(path: Path) -> list[str]:
        folders_listed.append(path)
        return real_listdir(path)

    monkeypatch.setattr(os, "listdir", record_folder)
    spool.claim("bots")
    assert folders_listed == [spool.queue("bots")]


def claim(spool: Spool, queue: str = "bots") -> tuple[str, str]:
    """Claim a message that must exist."""
    claimed = spool.claim(queue)
    assert claimed
    return claimed
