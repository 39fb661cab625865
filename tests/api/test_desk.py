"""The operator's desk: `manage.py doctor`, `game`, `account` and `staff_actions`, one by one and in
a night's shift by the commands of docs/desk.md alone."""

from __future__ import annotations

import getpass
import shlex
import shutil
import socket
from datetime import timedelta
from io import StringIO
from ipaddress import ip_network
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import orjson
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ai import bot_dispatch
from ai.bot_dispatch import WakeMessage
from ai.models import BotFailure
from api import client_names
from api.keys import key_cache
from api.models import Key, Webhook
from config import doctor
from config.keys import fingerprint_check
from games import position_cache, selectors, services
from games.models import Account, Game, StaffAction
from games.services import SeatAssignment
from jobs import heartbeats
from tests.api.test_accounts import ME
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World
from tests.games.missing_ruleset import remove_ruleset
from tests.support.databases import ROOT

PAGE: Final = (ROOT / "docs/desk.md").read_text(encoding="utf-8")
RULES: Final = "law_of_the_dice"
BOTS: Final = [SeatAssignment(bot="greedy"), SeatAssignment(bot="random")]
LONG_AGO: Final = timedelta(minutes=5)


def run(*words: str) -> str:
    """The output of a command, which may end with a failure."""
    out = StringIO()
    try:
        call_command(*words, stdout=out)
    except SystemExit:
        assert words[0] == "doctor"
    return out.getvalue()


def found(name: str) -> tuple[str, str]:
    """The state and the detail of a finding of the doctor."""
    documents = map(orjson.loads, run("doctor", "--json").splitlines())
    return next((each["state"], each["detail"]) for each in documents if each["name"] == name)


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[WakeMessage]:
    """The messages to bots that reach the broker."""
    messages: list[WakeMessage] = []
    monkeypatch.setattr(bot_dispatch.outbox, "publish", messages.extend)
    return messages


@pytest.fixture
def stuck(world: World) -> str:
    """A game of bots that has waited for minutes, and whose bot has failed."""
    game = world.created(*BOTS)
    Game.objects.filter(pk=game).update(at=timezone.now() - LONG_AGO)
    BotFailure.objects.create(choice="x", game_id=game, seat=0, attempts=3)
    return game


class TestGames:
    def test_are_shown_without_their_cards(self, stuck: str) -> None:
        text = run("game", "show", stuck)
        assert "seat 0: bot greedy" in text
        assert "awaited" in text
        assert "its bot failed, attempt 3" in text

    def test_with_an_open_seat_are_shown_with_the_numbers_of_the_others(self, world: World) -> None:
        game = world.created(SeatAssignment(), SeatAssignment(bot="greedy"))
        assert "seat 1: bot greedy" in run("game", "show", game)
        (player,) = orjson.loads(run("game", "show", game, "--json"))["seats"]
        assert (player["seat"], player["bot"]) == (1, "greedy")

    def test_are_poked(self, stuck: str, published: list[WakeMessage]) -> None:
        assert "woke the bot of seat" in run("game", "poke", stuck)
        assert {message.game for message in published} == {stuck}
        assert not BotFailure.objects.exists()

    def test_that_wait_for_people_are_not_poked(
        self, world: World, published: list[WakeMessage]
    ) -> None:
        game = world.playing()
        seat = int(selectors.game_projection(game).is_awaited(1))
        assert f"but for the player of seat {seat}" in run("game", "poke", game)
        assert "it is over" in run("game", "poke", world.over())
        assert not published

    def test_are_not_poked_without_a_broker(
        self, stuck: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(messages: list[WakeMessage]) -> None:
            raise OSError("no route")

        monkeypatch.setattr(bot_dispatch.outbox, "publish", fail)
        with pytest.raises(CommandError, match="does not take the message: no route"):
            run("game", "poke", stuck)
        assert BotFailure.objects.exists(), "nothing has changed"
        assert not StaffAction.objects.exists()

    def test_are_called_off_before_they_start(self, world: World) -> None:
        game = world.gathering()
        assert run("game", "call-off", game) == f"{game}: called off.\n"
        assert Game.objects.get(pk=game).phase == "over"
        with pytest.raises(CommandError, match="has started"):
            run("game", "call-off", world.playing())
        assert StaffAction.objects.count() == 1

    def test_whose_rules_are_gone_are_shown(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = world.playing()
        remove_ruleset(monkeypatch)
        assert "not installed" in run("game", "show", game)
        with pytest.raises(CommandError, match="not installed"):
            run("game", "poke", game)


class TestBans:
    def test_end_at_the_next_request(self, world: World) -> None:
        run("account", "ban", world.ada.pk, "--why=It floods.")
        key_cache.clear()
        assert_refused(world.as_ada.get(ME), "account-banned")
        run("account", "unban", world.ada.pk)
        assert world.as_ada.get(ME).status_code == 200

    def test_need_a_reason(self, world: World) -> None:
        with pytest.raises(CommandError, match="--why"):
            run("account", "ban", world.ada.pk)
        assert Account.objects.get(pk=world.ada.pk).banned is None

    def test_have_reasons_of_some_length(self, world: World) -> None:
        with pytest.raises(CommandError, match="at most 200 characters"):
            run("account", "ban", world.ada.pk, f"--why={'x' * 201}")
        with pytest.raises(CommandError, match="at most 200 characters"):
            run("game", "hide", world.playing(), f"--why={'x' * 201}")
        assert not StaffAction.objects.exists()

    def test_leave_games_and_name(self, world: World) -> None:
        game = world.playing()
        run("account", "ban", world.ada.pk, "--why=It floods.")
        document = world.as_bob.get(f"{BASE}/games/{game}").json()
        assert document["phase"] == "playing"
        assert document["seats"][0]["name"] == "Ada"

    def test_can_give_up_all_games(self, world: World) -> None:
        game = world.playing()
        run("account", "ban", world.ada.pk, "--why=It floods.", "--resign")
        assert world.as_bob.get(f"{BASE}/games/{game}").json()["result"]["winners"] == [1]

    def test_silence_webhooks(self, world: World) -> None:
        hook = Webhook.objects.create(
            account=world.ada, url="http://127.0.0.1/", secret=b"", since=timezone.now()
        )
        run("account", "ban", world.ada.pk, "--why=It floods.")
        hook.refresh_from_db()
        assert (hook.is_enabled, hook.reason) == (False, "The account is banned.")

    def test_of_the_same_account_keep_the_first_time(self, world: World) -> None:
        assert "is banned" in run("account", "ban", world.ada.pk, "--why=One.")
        since = Account.objects.get(pk=world.ada.pk).banned
        assert "was already banned" in run("account", "ban", world.ada.pk, "--why=Two.")
        row = Account.objects.get(pk=world.ada.pk)
        assert (row.banned, row.ban_reason) == (since, "Two.")
        assert "Two." in run("account", "show", world.ada.pk)
        assert "was not banned" in run("account", "unban", world.bob.pk)


class TestAccounts:
    def test_are_exported_as_their_owners_do(self, world: World, tmp_path: Path) -> None:
        games = [world.playing(), world.over()]
        own = world.as_ada.get(f"{ME}/export").getvalue()
        run("account", "export", world.ada.pk, f"--to={tmp_path / 'ada.ndjson'}")
        assert (tmp_path / "ada.ndjson").read_bytes() == own
        assert run("account", "export", world.ada.pk).encode() == own
        assert all(game.encode() in own for game in games)

    def test_are_erased_as_their_owners_do(self, world: World) -> None:
        game = world.playing()
        run("account", "erase", world.ada.pk, "--why=A request of 3 May.")
        assert not Account.objects.filter(pk=world.ada.pk).exists()
        assert not Key.objects.filter(account=world.ada.pk).exists()
        assert world.as_bob.get(f"{BASE}/games/{game}").json()["phase"] == "over"

    def test_that_nobody_has(self, world: World) -> None:
        with pytest.raises(CommandError, match="There is no account account_0"):
            run("account", "erase", "account_0")
        with pytest.raises(CommandError, match="There is no game game_0"):
            run("game", "hide", "game_0")
        assert not StaffAction.objects.exists()

    def test_that_are_busy_are_left_as_they_are(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(account: str) -> None:
            raise services.GameBusy

        monkeypatch.setattr(services, "delete_account", fail)
        with pytest.raises(CommandError, match="try again"):
            run("account", "erase", world.ada.pk)
        assert not StaffAction.objects.exists()


def test_everything_is_recorded(world: World, published: list[WakeMessage]) -> None:
    game = world.created(*BOTS)
    run("game", "poke", game, "--why=Ada asked.")
    run("game", "hide", game)
    run("account", "ban", world.ada.pk, "--why=It floods.")
    run("account", "show", world.ada.pk)
    lines = run("staff_actions").splitlines()
    assert [line.partition("UTC  ")[2] for line in lines] == [
        f"{getpass.getuser()}  ban {world.ada.pk}: It floods.",
        f"{getpass.getuser()}  hide {game}",
        f"{getpass.getuser()}  poke {game}: Ada asked.",
    ]
    assert len(run("staff_actions", game).splitlines()) == 2
    assert len(run("staff_actions", "--limit=1").splitlines()) == 1


def test_programs_read_the_same_as_objects(world: World, stuck: str, published: Any) -> None:
    def read(*words: str) -> Any:
        (line,) = run(*words, "--json").splitlines()
        return orjson.loads(line)

    game = read("game", "show", stuck)
    assert (game["rules"], game["phase"], game["is_installed"]) == (RULES, "playing", True)
    assert [seat["bot"] for seat in game["seats"]] == ["greedy", "random"]
    assert [failure["attempts"] for failure in game["bot_failures"]] == [3]
    (seat,) = [seat for seat, player in enumerate(game["seats"]) if player["is_awaited"]]
    assert read("game", "poke", stuck)["outcome"] == f"{stuck}: woke the bot of seat {seat}."
    assert read("account", "ban", world.ada.pk, "--why=Spam.")["action"] == "ban"
    account = read("account", "show", world.ada.pk)
    assert (account["name"], account["ban_reason"]) == ("Ada", "Spam.")
    assert account["banned"].endswith("Z")
    recorded = read("staff_actions", "--limit=1")
    assert (recorded["action"], recorded["target"]) == ("ban", world.ada.pk)


def test_the_doctor_finds_a_client_of_the_access_log(settings: Any) -> None:
    def name(peer: str, forwarded: str = "") -> str | None:
        headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
        return client_names.client_name({"client": (peer, 1), "headers": headers})

    settings.PROXIES = [ip_network("127.0.0.1")]
    for address, others in (("203.0.113.7", "203.0.113.8"), ("2001:db8::1", "2001:db8:0:1::1")):
        found_name = run("doctor", "--client", address).strip()
        assert found_name.startswith("client_")
        assert found_name == name(address) == name("127.0.0.1", address)
        assert found_name not in (name(others), name("203.0.113.9", address))
    assert run("doctor", "--client", "2001:db8::2") == run("doctor", "--client", "2001:db8::1")
    settings.LOG_CLIENTS = "addresses"
    assert name("203.0.113.7") == "203.0.113.7"
    settings.LOG_CLIENTS = "none"
    assert name("203.0.113.7") is None
    with pytest.raises(CommandError, match="x is no IP address"):
        run("doctor", "--client", "x")


class TestDoctor:
    def test_is_content(self, world: World) -> None:
        for kind in (heartbeats.BOT_WORKER, heartbeats.SWEEPER):
            heartbeats._save_beat(kind, f"{kind}@here")
        world.over()
        lines = run("doctor").splitlines()
        assert len(lines) == len(doctor.EXAMINATIONS)
        assert not [line for line in lines if line.startswith("bad")]

    def test_examines_a_part_of_this_machine_alone(
        self, db: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(socket, "gethostname", lambda: "here")
        kinds = doctor.PROCESSES_BY_PART["worker"]
        for kind in kinds:
            heartbeats._save_beat(kind, f"{kind}@{'there' if kind == kinds[-1] else 'here'}")
        assert "no sign of life@here: raters" in run("doctor", "--here", "worker")
        with pytest.raises(SystemExit):
            call_command("doctor", "--here=sweeper", stdout=StringIO())
        heartbeats._save_beat(kinds[-1], f"{kinds[-1]}@here")
        call_command("doctor", "--here=worker", stdout=StringIO())

    def test_names_games_whose_clock_ran_out(self, world: World) -> None:
        game = world.playing()
        Game.objects.filter(pk=game).update(deadline=timezone.now() - LONG_AGO)
        assert found("overdue games") == ("bad", f"{game} have a clock that ran out")

    def test_names_games_from_the_future(self, world: World) -> None:
        game = world.playing()
        Game.objects.filter(pk=game).update(at=timezone.now() + LONG_AGO)
        assert found("clock") == ("warning", f"{game} have entries from the future")

    def test_names_games_whose_rules_are_gone(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = world.playing()
        remove_ruleset(monkeypatch)
        assert found("missing rules") == ("bad", f"{game} have rules that are not installed")

    def test_names_ten_games_at_most(self, world: World) -> None:
        for _ in range(12):
            world.playing()
        Game.objects.update(deadline=timezone.now() - LONG_AGO)
        state, detail = found("overdue games")
        assert (state, detail.count("game_")) == ("bad", 10)
        assert ", … have" in detail

    def test_names_bots_that_fail(self, stuck: str) -> None:
        assert found("failing bots")[1].startswith(stuck)


class TestANightShift:
    """Each trouble is seen and dealt with by the documented commands alone."""

    def do(self, command: str, **names: str) -> str:
        """The output of a command of the page, in which names stand for its placeholders."""
        assert f"manage.py {command}" in PAGE, f"{command} is not documented"
        for name, value in names.items():
            command = command.replace(name, value)
        return run(*shlex.split(command))

    def test_a_lost_worker(self, db: None) -> None:
        assert found("processes")[0] == "bad"
        for kind in (heartbeats.BOT_WORKER, heartbeats.SWEEPER):
            heartbeats._save_beat(kind, f"{kind}@here")
        assert found("processes")[0] == "good"

    def test_a_stuck_table(self, stuck: str, published: list[WakeMessage]) -> None:
        assert found("stalled games") == ("bad", f"{stuck} wait for a bot")
        assert "its bot failed" in self.do("game show GAME", GAME=stuck)
        self.do("game poke GAME", GAME=stuck)
        assert [message.game for message in published] == [stuck]

    def test_a_table_that_never_fills(self, world: World) -> None:
        game = world.gathering()
        self.do("game hide GAME", GAME=game)
        self.do("game call-off GAME", GAME=game)
        assert Game.objects.get(pk=game).phase == "over"

    def test_an_abuser(self, world: World) -> None:
        self.do('account ban ACCOUNT --why "Spam in names."', ACCOUNT=world.eve.pk)
        key_cache.clear()
        problem = assert_refused(world.as_eve.get(ME), "account-banned")
        assert "Spam in names." in problem["detail"]

    def test_a_request_for_erasure(self, world: World, tmp_path: Path) -> None:
        game, file = world.over(), tmp_path / "games.ndjson"
        self.do("account export ACCOUNT --to FILE", ACCOUNT=world.bob.pk, FILE=str(file))
        assert game in file.read_text()
        self.do("account erase ACCOUNT", ACCOUNT=world.bob.pk)
        assert not Account.objects.filter(pk=world.bob.pk).exists()
        actions = [line.split()[4] for line in self.do("staff_actions").splitlines()]
        assert actions == ["erase", "export"]

    def test_a_key_that_was_dropped_too_early(self, world: World, settings: Any) -> None:
        assert fingerprint_check.confirm_keys()
        game, old = world.playing(), list(settings.SEALING_KEYS)
        settings.SEALING_KEYS = [bytes(32)]
        assert found("keys")[0] == "bad"
        settings.SEALING_KEYS = [bytes(32), *old]
        assert found("keys")[0] == "good"
        self.do("keys reseal")
        settings.SEALING_KEYS = [bytes(32)]
        assert found("keys")[0] == "good"
        position_cache.cache.clear()
        assert services.resign_seat(game, 0).projection.phase == "over"

    def test_a_disk_that_is_nearly_full(self, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
        usage = SimpleNamespace(total=100e9, free=1e9)
        monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
        assert found("disk") == ("warning", "1.0 of 100.0 GB are free")
