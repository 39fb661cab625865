"""The supervisor keeps its children alive, stops them on request, and leaves none behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

import pytest

from config.supervisor import child_process, tether
from config.supervisor.child_process import Child
from config.supervisor.heartbeat import HeartbeatTimeouts
from config.supervisor.process_specs import ProcessSpec
from config.supervisor.supervisor import Supervisor
from tests.config.processes import is_gone, soon
from tests.support import warm_interpreter

ROOT: Final = Path(__file__).parents[2]
STOP_TIMEOUT: Final = 30  # seconds until a test is considered hung
SUPERVISE: Final = """
import sys
from dataclasses import replace
from math import inf
from pathlib import Path
from config.supervisor import child_process, forked_process
from config.supervisor.heartbeat import HeartbeatTimeouts
from config.supervisor.process_specs import ProcessSpec, process_environment
from config.supervisor.supervisor import Supervisor
child_process.STABLE_AFTER_SECONDS = inf  # on a slow machine, too, restarts are in a row
patient = HeartbeatTimeouts(60, 60, 60, 60)
patience = {
    "pulsing": patient, "excused": patient, "busy": replace(patient, idle_seconds=1),
    "frozen": replace(patient, silence_seconds=3, idle_seconds=3),
    "deaf": replace(patient, idle_seconds=1),
}
parts = [
    ProcessSpec(name, (name,), timeouts=patience.get(name), once=name == "single")
    for name in sys.argv[2].split(",")
]
say = lambda line: print(line, flush=True)
forked_process.IS_FORK_SAFE = sys.argv[4] == "forks"
sys.exit(Supervisor(parts, process_environment(Path(sys.argv[1])), say, float(sys.argv[3])).run())
"""
PULSING: Final = (
    "import os, time\nfrom config.supervisor import heartbeat\n"
    "print('pids', os.getpid(), flush=True)\n"
    "while True: heartbeat.send_sign(heartbeat.{sign}); time.sleep(0.1)\n"
)
STAND_INS: Final = {
    # prints its pid and that of a process it forks, so that a test knows both
    "steady": "import os, time\nchild = os.fork()\n"
    "if child: print('pids', os.getpid(), child, flush=True)\ntime.sleep(3600)\n",
    "polite": "import signal, sys, time\n"
    "signal.signal(signal.SIGTERM, lambda *_: sys.exit(print('good-bye', flush=True)))\n"
    "print('ready', flush=True)\ntime.sleep(3600)\n",
    "stubborn": "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "print('pids', os.getpid(), flush=True)\ntime.sleep(3600)\n",
    "brief": "import sys\nsys.stdout.write('half a line')\nsys.exit(3)\n",
    "importer": "import nowhere\n",
    "single": "import sys\nsys.exit(print('done') or 4)\n",
    "lister": "import os, sys\nprint(sys.argv, *sorted(os.listdir('/proc/self/fd')), flush=True)\n",
    "tidy": "import atexit, threading, time\natexit.register(print, 'at exit')\n"
    "thread = threading.Thread(target=lambda: (time.sleep(0.5), print('thread over')))\n"
    "thread.start()\n",
    "loud": "import time\nprint('shouting\\n' * 20_000, end='', flush=True)\n",
    # like a Celery pool: fork, tie the fork, work
    "pool": "import os, time\nfrom config.supervisor import tether\nchild = os.fork()\n"
    "if not child: tether.tie_forked_process()\n"
    "else: print('pids', os.getpid(), child, flush=True)\ntime.sleep(3600)\n",
    # like a watched part: sends a sign repeatedly
    "pulsing": PULSING.format(sign="ALIVE"),
    "frozen": PULSING.format(sign="ALIVE"),
    "deaf": PULSING.format(sign="IDLE"),
    "busy": PULSING.format(sign="BUSY"),
    "excused": PULSING.format(sign="EXCUSED"),
    "watcher": "import os, time\nfrom config.supervisor import tether\n"
    "tether.die_with_pipe(int(os.environ[tether.PIPE_VARIABLE]))\n"
    "print('pids', os.getpid(), flush=True)\n"
    "import ctypes\nctypes.CDLL(None).prctl(1, 0, 0, 0, 0)\n"
    "print('untied', flush=True)\ntime.sleep(3600)\n",
}


class RunningSupervisor:
    """A supervisor with stand-ins for its parts, and its output."""

    def __init__(
        self, folder: Path, part_names: str, grace_seconds: float, child_kind: str
    ) -> None:
        self.log_path = folder / "log"
        for name, source in STAND_INS.items():
            (folder / f"{name}.py").write_text(source)
        with self.log_path.open("wb") as log_file:
            self.process = warm_interpreter.Popen(
                [
                    sys.executable,
                    "-c",
                    SUPERVISE,
                    str(folder),
                    part_names,
                    str(grace_seconds),
                    child_kind,
                ],
                env={**os.environ, "PYTHONPATH": f"{ROOT}:{folder}"},
                stdout=log_file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_for_output(self, pattern: str, times: int = 1) -> list[Any]:
        """Wait until a pattern has been printed that many times; the matches."""
        assert soon(lambda: len(re.findall(pattern, self.log_path.read_text())) >= times), (
            self.log_path.read_text()
        )
        return re.findall(pattern, self.log_path.read_text())

    def kill_untied_processes(self) -> None:
        """Kill the processes that its children forked without tying them."""
        printed = re.findall(r"pids ([\d ]+)", self.log_path.read_text())
        pids = {int(pid) for line in printed for pid in line.split()}
        for pid in pids:
            with suppress(OSError):  # its pid may have been reused, by a process of another session
                if os.getsid(pid) in {self.process.pid, *pids}:
                    os.kill(pid, signal.SIGKILL)

    def child_pids(self) -> list[int]:
        """The pids that the children printed."""
        return [int(pid) for line in self.wait_for_output(r"pids ([\d ]+)") for pid in line.split()]


class Start(Protocol):
    """Starts a supervisor of these parts, with that grace period in seconds. Its children are forks
    or, as on macOS, new interpreters."""

    def __call__(
        self, names: str, grace: float = 3600, kind: str = "forks"
    ) -> RunningSupervisor: ...


@pytest.fixture
def start_supervisor(tmp_path: Path) -> Iterator[Start]:
    """Start a supervisor; it ends with the test."""
    supervisors: list[RunningSupervisor] = []

    def start(names: str, grace: float = 3600, kind: str = "forks") -> RunningSupervisor:
        supervisors.append(RunningSupervisor(tmp_path, names, grace, kind))
        return supervisors[-1]

    previous_handler = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
    yield start
    signal.signal(signal.SIGHUP, previous_handler)
    for supervisor in supervisors:
        supervisor.process.kill()
        supervisor.process.wait()
        supervisor.kill_untied_processes()


class TestChildren:
    @pytest.mark.lane("processes")
    def test_that_end_are_started_again_ever_later(self, start_supervisor: Start) -> None:
        supervisor = start_supervisor("brief")
        delays = supervisor.wait_for_output(r"exit code 3\); restarting in ([\d.]+) s", 3)
        assert delays[:3] == ["0.2", "0.5", "1.0"]

    @pytest.mark.lane("processes")
    def test_that_run_once_are_not_started_again(self, start_supervisor: Start) -> None:
        supervisor = start_supervisor("single,brief")
        supervisor.wait_for_output(r"single +\| .* WARNING .* ended \(exit code 4\)\n")
        supervisor.wait_for_output("restarting", 3)
        assert supervisor.log_path.read_text().count("done") == 1

    def test_are_logged_line_by_line_with_their_names(self, start_supervisor: Start) -> None:
        assert (
            start_supervisor("brief").wait_for_output(r"(?m)^(.*half a line)$")[0]
            == "brief   | half a line"
        )

    def test_that_flood_the_log_are_throttled(self, start_supervisor: Start) -> None:
        supervisor = start_supervisor("loud")
        early_left_out_count = sum(
            map(int, supervisor.wait_for_output(r"\((\d+) lines were left out\)"))
        )
        supervisor.wait_for_output(r"exit code 0")
        output = supervisor.log_path.read_text().partition("exit code 0")[0]
        printed_count = output.count("shouting")
        left_out_count = sum(map(int, re.findall(r"\((\d+) lines were left out\)", output)))
        assert early_left_out_count
        assert printed_count >= child_process.MAX_LINES_PER_SECOND
        assert printed_count + left_out_count == 20_000

    def test_that_are_killed_are_replaced_with_all_they_forked(
        self, start_supervisor: Start
    ) -> None:
        supervisor = start_supervisor("steady")
        first, forked_pid = supervisor.child_pids()
        os.kill(first, signal.SIGKILL)
        supervisor.wait_for_output(r" ERROR .* ended \(SIGKILL\)")
        assert soon(lambda: is_gone(forked_pid))
        supervisor.wait_for_output("pids", 2)
        assert not is_gone(supervisor.child_pids()[2])

    @pytest.mark.lane("processes")
    def test_do_not_disturb_each_other(self, start_supervisor: Start) -> None:
        supervisor = start_supervisor("brief,steady")
        supervisor.wait_for_output("restarting", 3)
        assert not any(is_gone(pid) for pid in supervisor.child_pids())
        assert len(supervisor.child_pids()) == 2


@pytest.mark.parametrize("kind", ["forks", "interpreters"])
class TestAChildOfEitherKind:
    def test_is_logged_with_its_exit_code(self, start_supervisor: Start, kind: str) -> None:
        supervisor = start_supervisor("brief", kind=kind)
        supervisor.wait_for_output(r"(?m)^brief   \| half a line$")
        supervisor.wait_for_output(r"exit code 3")

    def test_has_no_descriptor_of_the_supervisor(self, start_supervisor: Start, kind: str) -> None:
        supervisor = start_supervisor("steady,pulsing,lister", kind=kind)
        listing, *_ = supervisor.wait_for_output(r"lister  \| (\[.*)")
        # the standard streams, the tether, and the descriptor that lists them
        assert len(listing.partition("] ")[2].split()) == 5, listing

    def test_that_fails_to_start_says_why(self, start_supervisor: Start, kind: str) -> None:
        supervisor = start_supervisor("importer", kind=kind)
        supervisor.wait_for_output(r"importer \| ModuleNotFoundError: No module named 'nowhere'")
        supervisor.wait_for_output(r"exit code 1")

    @pytest.mark.lane("processes")
    def test_waits_for_its_threads_and_functions(self, start_supervisor: Start, kind: str) -> None:
        supervisor = start_supervisor("tidy", kind=kind)
        supervisor.wait_for_output(r"thread over\n.*at exit\n.*exit code 0")

    def test_dies_with_the_supervisor(self, start_supervisor: Start, kind: str) -> None:
        supervisor = start_supervisor("pool", kind=kind)
        child_pids = supervisor.child_pids()
        supervisor.process.kill()
        assert soon(lambda: all(is_gone(pid) for pid in child_pids))

    def test_is_stopped(self, start_supervisor: Start, kind: str) -> None:
        supervisor = start_supervisor("polite", kind=kind)
        supervisor.wait_for_output("ready")
        supervisor.process.send_signal(signal.SIGTERM)
        assert supervisor.process.wait(STOP_TIMEOUT) == 0
        supervisor.wait_for_output("good-bye")


class TestAPartThatHangs:
    @pytest.mark.lane("processes")
    def test_is_replaced_although_it_is_stopped(self, start_supervisor: Start) -> None:
        supervisor = start_supervisor("frozen")
        (first, *_) = supervisor.child_pids()
        with suppress(ProcessLookupError):  # already killed for silence on a busy machine
            os.kill(first, signal.SIGSTOP)
        supervisor.wait_for_output(
            r"frozen  \| .* ERROR .* (?:no heartbeat|no work accepted) for \d+ s; killed"
        )
        supervisor.wait_for_output("pids", 2)
        assert soon(lambda: is_gone(first))

    @pytest.mark.lane("processes")
    def test_is_replaced_if_it_takes_no_work(self, start_supervisor: Start) -> None:
        supervisor = start_supervisor("deaf")
        supervisor.wait_for_output(r"deaf    \| .* ERROR .* no work accepted for \d+ s; killed")
        supervisor.wait_for_output("pids", 2)

    @pytest.mark.lane("processes")
    def test_and_no_other_is_replaced(self, start_supervisor: Start) -> None:
        supervisor = start_supervisor("deaf,pulsing,busy,excused")
        supervisor.wait_for_output(r"deaf    \| .* no work accepted", 3)
        replaced = supervisor.wait_for_output(r"(\w+) +\| .* (?:no work accepted|no heartbeat)")
        assert set(replaced) == {"deaf"}

    @pytest.mark.parametrize(("gap", "is_killed"), [(0.1, True), (100.0, False)])
    def test_is_not_blamed_for_a_supervisor_that_stood_still(
        self, gap: float, is_killed: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = 1000.0
        monkeypatch.setattr("config.supervisor.supervisor.monotonic", lambda: now)
        monkeypatch.setattr("config.supervisor.heartbeat.monotonic", lambda: now)
        part = ProcessSpec("part", ("json.tool",), timeouts=HeartbeatTimeouts(start_seconds=50.0))
        supervisor = Supervisor([part], dict(os.environ), lambda line: None, grace_seconds=1.0)
        kill_calls: list[bool] = []
        monkeypatch.setattr(Child, "is_running", True)
        monkeypatch.setattr(Child, "kill", lambda _: kill_calls.append(True))
        now += 100
        supervisor.last_round_at = now - gap
        supervisor.replace_hung()
        assert bool(kill_calls) is is_killed


class TestStopping:
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_lets_children_finish(self, start_supervisor: Start, number: signal.Signals) -> None:
        supervisor = start_supervisor("polite")
        supervisor.wait_for_output("ready")
        supervisor.process.send_signal(number)
        assert supervisor.process.wait(STOP_TIMEOUT) == 0
        supervisor.wait_for_output("good-bye")

    def test_is_not_what_the_end_of_a_terminal_means_under_nohup(
        self, start_supervisor: Start
    ) -> None:
        previous_handler = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            supervisor = start_supervisor("polite")
        finally:
            signal.signal(signal.SIGHUP, previous_handler)
        supervisor.wait_for_output("ready")
        supervisor.process.send_signal(signal.SIGHUP)
        supervisor.process.send_signal(signal.SIGTERM)
        assert supervisor.process.wait(STOP_TIMEOUT) == 0, "asked once, not twice"

    @pytest.mark.lane("processes")
    def test_takes_no_longer_than_the_grace_time(self, start_supervisor: Start) -> None:
        supervisor = start_supervisor("stubborn", grace=1)
        (child,) = supervisor.child_pids()
        supervisor.process.send_signal(signal.SIGTERM)
        assert supervisor.process.wait(STOP_TIMEOUT) == 0
        supervisor.wait_for_output("Killed after 1 s: stubborn")
        assert soon(lambda: is_gone(child))

    def test_happens_at_once_when_asked_twice(self, start_supervisor: Start) -> None:
        supervisor = start_supervisor("stubborn")
        (child,) = supervisor.child_pids()
        supervisor.process.send_signal(signal.SIGINT)
        supervisor.wait_for_output("Stopping")
        supervisor.process.send_signal(signal.SIGINT)
        assert supervisor.process.wait() == 130
        assert soon(lambda: is_gone(child))
        assert "Killed after" not in supervisor.log_path.read_text()

    def test_ends_what_children_forked(self, start_supervisor: Start) -> None:
        supervisor = start_supervisor("steady")
        child_pids = supervisor.child_pids()
        supervisor.process.send_signal(signal.SIGTERM)
        assert supervisor.process.wait(STOP_TIMEOUT) == 0
        assert soon(lambda: all(is_gone(pid) for pid in child_pids))


class TestAKilledSupervisor:
    def test_leaves_no_child_and_no_grandchild(self, start_supervisor: Start) -> None:
        supervisor = start_supervisor("pool,stubborn")
        assert soon(lambda: len(supervisor.child_pids()) == 3)
        supervisor.process.kill()
        assert soon(lambda: all(is_gone(pid) for pid in supervisor.child_pids()))

    def test_leaves_none_either_where_only_a_pipe_tells_of_its_end(
        self, start_supervisor: Start
    ) -> None:
        supervisor = start_supervisor("watcher")
        supervisor.wait_for_output("untied")
        supervisor.process.kill()
        assert soon(lambda: all(is_gone(pid) for pid in supervisor.child_pids()))


def test_a_process_whose_parent_is_dead_already_does_not_live() -> None:
    command = [sys.executable, "-m", "config.supervisor.run_tethered", str(os.getppid()), "this"]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL


def test_a_process_without_a_supervisor_is_not_tied() -> None:
    tether.tie_forked_process()
    assert tether._tied_process == 0


FAILING_START: Final = """
from config.supervisor import forked_process
def fail(_): raise OSError("no descriptor is free")
forked_process._redirect_streams = fail
try:
    print("exit code", forked_process.ForkedProcess("part", ("json.tool",), {}).wait())
finally:
    print("unwound")
"""


def test_a_fork_that_fails_at_once_does_not_unwind_the_frames_of_its_parent() -> None:
    command = [sys.executable, "-c", FAILING_START]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.splitlines() == ["exit code 1", "unwound"]
    assert "no descriptor is free" in result.stderr


LAST_WORDS: Final = """
import os
from config.supervisor.process_specs import ProcessSpec
from config.supervisor.supervisor import Supervisor
lines = []
supervisor = Supervisor([ProcessSpec("part", ("this",))], dict(os.environ), lines.append, 5.0)
supervisor.reap_and_start()
os.waitid(os.P_PID, supervisor.children[0].process.pid, os.WEXITED | os.WNOWAIT)
supervisor.stop()
print(*lines, sep="\\n")
"""


def test_the_last_words_of_a_child_that_ends_before_the_others_are_logged() -> None:
    command = [sys.executable, "-c", LAST_WORDS]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "part | The Zen of Python" in re.sub(" +", " ", result.stdout)
