"""A night shift: one trouble after another on a served instance, each seen and dealt with by the
commands of docs/desk.md and docs/operating.md alone, while a person plays."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

import pytest

from config.management.commands.keys import ACCEPT_LOSS_OPTION
from tests.chaos import stores
from tests.chaos.faults.base import CannotInject
from tests.chaos.faults.disks import DiskFull
from tests.chaos.http_client import HttpClient
from tests.chaos.instance import ROOT, Instance, signal_all
from tests.config.processes import is_gone, soon
from tests.support.missing_requirements import skip_or_fail

pytestmark = [
    pytest.mark.lane("storms"),
    pytest.mark.stores,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc"),
]
PAGES: Final = [(ROOT / "docs" / name).read_text() for name in ("desk.md", "operating.md")]
GAME: Final = {
    "rules": "law_of_the_dice",
    "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}],
}
NEW_SEALING_KEY: Final = (
    "(umask 077; { openssl rand -hex 32; cat var/sealing_key; } > var/sealing_key.new)\n"
    "mv var/sealing_key.new var/sealing_key\n"
)


ABUSERS_ADDRESS: Final = "127.0.0.9"
PUBLISH_FAILURES: Final = re.compile(r"(?m)^tabularium_publish_failures_total (\S+)")


class Office:
    """The operator's terminal beside a running instance."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def do(self, command: str, **names: str) -> str:
        """The output of a documented command, in which names stand for its placeholders."""
        process = self._run(command, names)
        is_examination = command.startswith("doctor")
        assert process.returncode == 0 or is_examination, process.stdout + process.stderr
        return process.stdout

    def complaint(self, command: str, **names: str) -> str:
        """The complaint of such a command that changes nothing."""
        process = self._run(command, names)
        assert process.returncode == 1, process.stdout
        return process.stderr

    def _run(self, command: str, names: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        named = command.removesuffix(f" {ACCEPT_LOSS_OPTION}")  # the pages name it alone
        assert any(f"manage.py {named}" in page for page in PAGES), f"{command}: undocumented"
        for name, value in names.items():
            command = command.replace(name, value)
        return subprocess.run(
            [sys.executable, "manage.py", *shlex.split(command)],
            cwd=ROOT,
            env=self.instance.environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    def finding(self, name: str) -> tuple[str, str]:
        """The state and the detail of one of the doctor's examinations."""
        documents = map(json.loads, self.do("doctor --json").splitlines())
        return next((each["state"], each["detail"]) for each in documents if each["name"] == name)

    def sees(self, name: str, state: str, part: str = "") -> bool:
        """Whether the doctor comes to see this."""
        return soon(lambda: (f := self.finding(name))[0] == state and part in f[1])

    def accounts_of(self, client: str) -> set[str]:
        """The accounts that the access log has for a client."""
        lines = (self.instance.folder / "serve.log").read_text().splitlines()
        found = (re.search(r"account=(account_\w+)", line) for line in lines if client in line)
        return {match[1] for match in found if match}

    def run_script(self, script: str) -> None:
        """Run documented lines of a shell on the keys of the instance."""
        assert any(script in page for page in PAGES)
        script = script.replace("var/", f"{self.instance.data_folder}/")
        subprocess.run(["bash", "-euc", script], check=True)


class Person:
    """An account, and a game that it plays against a bot."""

    def __init__(self, instance: Instance, address: str = "127.0.0.1") -> None:
        self.instance, self.action_count = instance, 0
        guest = instance.client(address=address).request_document("POST", "/guests", {})
        self.id: str = guest["account"]["id"]
        self.client: HttpClient = instance.client(guest["secret"], address)
        self.game: str = self.client.request_document("POST", "/games", GAME)["id"]

    def look(self) -> Any:
        """The game as it stands."""
        return self.client.request_document("GET", f"/games/{self.game}")

    def is_awaited(self) -> bool:
        """Whether it has to act."""
        choice = self.look()["choice"]
        return bool(choice and choice["is_awaited"])

    def act(self) -> int:
        """Act once; the seq."""
        assert soon(self.is_awaited)
        choice = self.look()["choice"]
        body = {"seat": 0, "choice": choice["token"], "action": choice["offers"][0]["action"]}
        result = self.client.request_document("POST", f"/games/{self.game}/actions", body)
        self.action_count += 1
        return int(result["seq"])

    def act_until_the_bot_must(self) -> int:
        """Act until the bot is awaited, for which nothing may wake it; the seq."""
        while True:
            seq = self.act()
            if not self.is_awaited():
                return seq

    def is_after(self, seq: int) -> bool:
        """Whether the game has gone on after an entry."""
        return bool(self.look()["seq"] > seq)


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Instance]:
    """A served instance with an access log; on SQLite its data is on a small disk."""
    monkeypatch.setenv("TABULARIUM_LOG_LEVEL", "INFO")
    with ExitStack() as stack:
        servers = stack.enter_context(stores.stores_of_this_run())
        instance = Instance(tmp_path, servers)
        if servers:
            instance.data_folder.mkdir()
        else:
            try:
                DiskFull.prepare(instance.data_folder)
            except CannotInject as problem:
                skip_or_fail(str(problem))
            stack.callback(DiskFull.clean_up, instance.data_folder)
        stack.callback(instance.stop)
        instance.start()
        assert soon(instance.is_writing)
        yield instance


def test_a_night_shift(instance: Instance, tmp_path: Path) -> None:
    office, person = Office(instance), Person(instance)
    deal_with_a_stuck_table_and_lost_processes(office, person)
    deal_with_an_abuser(office)
    deal_with_a_request_for_erasure(office, tmp_path)
    if not instance.stores:
        deal_with_a_full_disk(office, person)
        undo_a_wrong_restore(office, person, tmp_path / "monday")
    rotate_the_keys(office, person)
    recorded = office.do("staff_actions")
    assert all(action in recorded for action in ("ban", "export", "erase", "poke"))
    upgrade_and_go_back(office, person)
    assert all(office.finding(name)[0] == "good" for name in ("keys", "processes", "database"))
    assert "all are good" in office.do("verify")


def deal_with_a_stuck_table_and_lost_processes(office: Office, person: Person) -> None:
    """The supervisor hangs, the sweeper has died, and the message that wakes a bot is lost."""
    instance = office.instance
    (supervisor,), (sweeper,) = instance.processes("supervisor"), instance.processes("sweeper")
    assert soon(person.is_awaited)
    signal_all([supervisor], signal.SIGSTOP)
    sweeper.kill()
    assert soon(lambda: is_gone(sweeper.pid))
    with broker_that_fails(person) if instance.stores else spool_that_forgets(instance):
        seq = person.act_until_the_bot_must()
    assert soon(lambda: not is_fine(instance, "tables") and not is_fine(instance, "sweeper"))
    assert office.sees("stalled games", "bad", person.game)
    assert office.sees("processes", "bad", "sweeper")
    assert "bot greedy" in office.do("game show GAME", GAME=person.game)
    assert not person.is_after(seq)
    office.do("game poke GAME", GAME=person.game)
    assert soon(lambda: person.is_after(seq))
    signal_all([supervisor], signal.SIGCONT)
    assert soon(lambda: is_fine(instance, "tables") and is_fine(instance, "sweeper"))
    assert office.sees("processes", "good")
    assert office.sees("stalled games", "good")


def is_fine(instance: Instance, check: str) -> bool:
    """Whether the readiness of an instance is good in this respect."""
    return bool(instance.client().request_document("GET", "/readyz")[check]["is_ok"])


@contextmanager
def broker_that_fails(person: Person) -> Iterator[None]:
    """Within the block, Redis takes no message: none about an action of the person, and at last
    none to its bot."""
    proxy, before = person.instance.proxies["redis"], person.action_count
    proxy.cut()
    yield
    lost = person.action_count - before + 1  # a hint for each action, and one message to the bot
    assert soon(lambda: publish_failures(person.instance) == lost)
    proxy.heal()


def publish_failures(instance: Instance) -> int:
    """The number of messages that the broker did not take, by the figures of `/metrics`."""
    with urlopen(f"http://127.0.0.1:{instance.port}/api/v1/metrics", timeout=60) as response:
        (count,) = PUBLISH_FAILURES.findall(response.read().decode())
    return int(float(count))


@contextmanager
def spool_that_forgets(instance: Instance) -> Iterator[None]:
    """Within the block, no worker runs, and at its end the messages to bots are lost."""
    workers, messages = instance.workers(), instance.data_folder / "spool/ready/bots"
    signal_all(workers, signal.SIGSTOP)
    yield
    assert soon(lambda: any(messages.iterdir()))
    for message in messages.iterdir():
        message.unlink()
    signal_all(workers, signal.SIGCONT)


def deal_with_an_abuser(office: Office) -> None:
    """The banned person makes a second guest; the access log names one client for both accounts."""
    abuser = Person(office.instance, ABUSERS_ADDRESS)
    command = 'account ban ACCOUNT --why "Spam in names."'
    office.do(command, ACCOUNT=abuser.id)
    assert soon(lambda: abuser.client.request("GET", "/me").code == "account-banned")
    office.do("game hide GAME", GAME=abuser.game)
    listed = office.instance.client().request_document("GET", "/games")["items"]
    assert abuser.game not in [game["id"] for game in listed]
    returned = Person(office.instance, ABUSERS_ADDRESS)
    client = office.do("doctor --client ADDRESS", ADDRESS=ABUSERS_ADDRESS).strip()
    accounts = office.accounts_of(client)
    assert accounts == {abuser.id, returned.id}
    for account in accounts - {abuser.id}:
        office.do(command, ACCOUNT=account)
    assert soon(lambda: returned.client.request("GET", "/me").code == "account-banned")


def deal_with_a_request_for_erasure(office: Office, folder: Path) -> None:
    person, file = Person(office.instance), folder / "export.ndjson"
    seq = person.act()
    office.do("account export ACCOUNT --to FILE", ACCOUNT=person.id, FILE=str(file))
    assert person.game in file.read_text()
    office.do("account erase ACCOUNT", ACCOUNT=person.id)
    assert soon(lambda: person.client.request("GET", "/me").status == 401)
    log = f"/games/{person.game}/log?after={seq - 1}"
    assert office.instance.client().request("GET", log).status == 200, "games stay"


def deal_with_a_full_disk(office: Office, person: Person) -> None:
    """Writes are refused while the disk is full, and go on by themselves."""
    fault = DiskFull(office.instance, 0.0)
    fault.inject()
    assert soon(fault.is_in_effect)
    assert office.sees("disk", "warning")
    assert soon(lambda: person.client.request("POST", "/games", GAME).status == 503)
    assert soon(lambda: person.client.request("GET", f"/games/{person.game}").status == 200)
    fault.heal()
    assert soon(office.instance.is_writing)
    person.act()
    assert office.sees("disk", "good")


def undo_a_wrong_restore(office: Office, person: Person, backup: Path) -> None:
    """An older back-up takes the place of the database, and then gives it back."""
    instance = office.instance
    monday = {"/backups/monday": str(backup)}
    office.do("backup /backups/monday", **monday)
    seq = person.act()
    command = "restore /backups/monday --replace"
    assert "stop the server first" in office.complaint(command, **monday)
    stop(instance)
    office.do(command, **monday)
    (former,) = instance.data_folder.glob("tabularium.sqlite3.before-*")
    start(instance)
    assert person.look()["seq"] < seq
    stop(instance)
    office.do(command, **{"/backups/monday": str(former)})
    start(instance)
    assert person.look()["seq"] >= seq


def upgrade_and_go_back(office: Office, person: Person) -> None:
    """A reload under a game, the way back to the tables of the first release, and up again."""
    instance = office.instance
    office.do("reload")
    seq = person.act()
    command = "downgrade 0.1.0"
    assert "stop the server first" in office.complaint(command)
    stop(instance)
    assert ACCEPT_LOSS_OPTION in office.complaint(command)
    office.do(f"{command} {ACCEPT_LOSS_OPTION}")
    start(instance)
    assert person.look()["seq"] >= seq
    person.act()


def rotate_the_keys(office: Office, person: Person) -> None:
    """A new sealing key, first beside the old one, then alone; the games that run go on."""
    instance = office.instance
    office.run_script(NEW_SEALING_KEY)
    restart(instance)
    key_file = instance.data_folder / "sealing_key"
    new, old = key_file.read_text().split()
    assert "after the first: 3 running games" in office.do("keys")
    person.act()
    office.do("keys reseal")
    key_file.write_text(f"{old}\n")
    assert office.finding("keys")[0] == "bad", "the wrong one was dropped"
    key_file.write_text(f"{new}\n")
    restart(instance)
    person.act()


def restart(instance: Instance) -> None:
    """Restart the server, with the data and the stores as they are."""
    stop(instance)
    start(instance)


def stop(instance: Instance) -> None:
    """Let the server end in order."""
    assert instance.server
    instance.server.terminate()
    instance.server.wait()


def start(instance: Instance) -> None:
    """Start it again."""
    instance.serve()
    assert soon(instance.is_writing)
