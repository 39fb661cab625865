"""The test clock: `POST /test/advance` moves it forward and does all that is due, and a server
without one has no such address."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import path
from django.utils import timezone
from pytest_django import Settings
from standardwebhooks import Webhook as Verifier

from api import unused_accounts
from api.clock_advance import MAX_SECONDS, AdvanceEndpoint
from api.keys import ALL_SCOPES, create_key
from api.models import Webhook
from api.webhooks import signatures
from config import urls
from games import ids, selectors, services
from games.models import Account
from jobs import movable_clock
from jobs.movable_clock import MovableClock
from tabularium_log.projection.table_actions import Clock
from tests.api.test_conventions import assert_problem
from tests.api.world import World
from tests.support.databases import ROOT

pytestmark = pytest.mark.stores
urlpatterns = [path("test/advance", AdvanceEndpoint.as_view()), *urls.urlpatterns]
handler404 = urls.handler404

ADVANCE: Final = "/test/advance"
DAY: Final = 24 * 3600

READING: Final = re.compile(r"(?<![\w.])time\(\)|\btime_ns\(\)|\bdatetime\.now\(|\butcnow\(")
REAL_TIME: Final = {
    "ai/terminal/session_setup.py",  # the name of a file
    "api/deprecations.py",  # midnight
    "api/level_changes.py",  # a development command, and …
    "api/management/commands/release_api_level.py",  # … another
    "api/limits/cleanup.py",  # rate limits
    "api/limits/file_buckets.py",
    "api/limits/token_buckets.py",
    "api/webhooks/signatures.py",  # for the clocks of receivers
    "games/ids.py",  # whose `time` is replaced
    "jobs/movable_clock.py",
}

Advancing = Callable[..., Any]


@pytest.fixture
def clock(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> MovableClock:
    """The clock of a server that has one."""
    clock = MovableClock(tmp_path / movable_clock.FILE_NAME)
    clock.start()
    settings.TEST_CLOCK, settings.ROOT_URLCONF = tmp_path / movable_clock.FILE_NAME, __name__
    monkeypatch.setattr(timezone, "now", timezone.now)  # which are restored
    monkeypatch.setattr(ids, "time", ids.time)  # type: ignore[attr-defined]
    movable_clock.install(tmp_path / movable_clock.FILE_NAME)
    monkeypatch.setattr(unused_accounts, "_walk", unused_accounts.Walk())
    return clock


@pytest.fixture
def advance(clock: MovableClock, db: None, wake_messages: list[Any]) -> Advancing:
    """`advance(seconds=…)` sends the body; the response."""

    def send(**body: Any) -> Any:
        return Client().post(ADVANCE, json.dumps(body), content_type="application/json")

    return send


def phase_and_ending(game: str) -> tuple[str, str | None]:
    """The phase of a game, and how it came to its end."""
    table = selectors.game_projection(game)
    return table.phase, table.ending


@pytest.mark.parametrize("method", ["get", "head", "post", "put", "patch", "delete", "options"])
def test_without_the_option_there_is_no_such_address(client: Client, method: str) -> None:
    response = getattr(Client(), method)(ADVANCE)
    assert response.status_code == 404
    assert timezone.now.__module__ == "django.utils.timezone"
    if method == "post":
        assert_problem(response, 404, "not-found")


def test_the_document_never_names_it(clock: MovableClock) -> None:
    assert ADVANCE not in Client().get("/api/v1/openapi.json").content.decode()


def test_no_other_module_reads_another_clock() -> None:
    packages = ("ai", "api", "desk", "games", "jobs", "record", "tabularium_log")
    sources = [source for name in packages for source in (ROOT / name).rglob("*.py")]
    reading = {source for source in sources if READING.search(source.read_text())}
    assert {source.relative_to(ROOT).as_posix() for source in reading} == REAL_TIME


class TestTheClock:
    def test_shows_the_time_and_goes_on(self, advance: Advancing) -> None:
        before = datetime.now(UTC)
        shown = datetime.fromisoformat(advance(seconds=0).json()["now"])
        assert abs(shown - before) < timedelta(minutes=1)

    def test_moves_by_seconds_and_to_a_time(self, advance: Advancing) -> None:
        moved = datetime.fromisoformat(advance(seconds=DAY).json()["now"])
        assert timedelta(days=1) <= moved - datetime.now(UTC) + timedelta(minutes=1)
        target = moved + timedelta(days=40)
        reached = datetime.fromisoformat(advance(to=target.isoformat()).json()["now"])
        assert target - timedelta(milliseconds=1) <= reached < target + timedelta(minutes=1)
        assert timezone.now() >= target
        assert ids.new_id("x") > ids.first_id("x", target - timedelta(milliseconds=1))

    def test_is_one_for_all_who_read_the_file(self, advance: Advancing, settings: Settings) -> None:
        other = MovableClock(Path(str(settings.TEST_CLOCK)))
        advance(seconds=DAY)
        assert other.now() - datetime.now(UTC) > timedelta(hours=23)

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"seconds": -1},
            {"seconds": 1.5},
            {"seconds": "1"},
            {"seconds": MAX_SECONDS + 1},
            {"seconds": 1, "to": "2090-01-01T00:00:00Z"},
            {"to": "2020-01-01T00:00:00Z"},
            {"to": "2090-01-01T00:00:00Z"},
            {"to": "tomorrow"},
            {"seconds": 1, "minutes": 1},
        ],
        ids=str,
    )
    def test_is_not_moved_by_a_wrong_body(self, advance: Advancing, body: dict[str, Any]) -> None:
        assert_problem(advance(**body), 400, "invalid-body")
        assert timezone.now() - datetime.now(UTC) < timedelta(seconds=1)

    def test_does_not_date_the_signatures_of_webhooks(self, advance: Advancing) -> None:
        hook = Webhook(id="webhook_1", account=Account.objects.create(), since=timezone.now())
        secret = signatures.renew_secret(hook, timezone.now())
        advance(seconds=DAY // 2)
        headers = signatures.signature_headers(hook, "msg_1", "{}", timezone.now())
        assert Verifier(secret).verify("{}", headers) == {}


class TestAllThatIsDueIsDoneAtTheReply:
    def test_a_clock_runs_out(self, world: World, advance: Advancing) -> None:
        game = world.playing(clock=Clock(3_600_000, "resign"))
        advance(seconds=3500)
        assert phase_and_ending(game) == ("playing", None)
        advance(seconds=100)
        assert phase_and_ending(game) == ("over", "timed_out")

    def test_a_pause_ends(self, world: World, advance: Advancing) -> None:
        game = world.playing(clock=Clock(3_600_000, "resign"))
        proposal = services.make_proposal(game, 0, "pause").last_seq
        services.accept_proposal(game, 1, proposal)
        advance(seconds=6 * DAY)
        assert selectors.game_projection(game).pause_end is not None
        advance(seconds=DAY)
        assert selectors.game_projection(game).pause_end is None
        assert phase_and_ending(game) == ("playing", None)

    def test_a_seat_may_be_claimed(self, world: World, advance: Advancing) -> None:
        game = world.playing()
        table = selectors.game_projection(game)
        absent = next(seat for seat in (0, 1) if table.is_awaited(seat))
        advance(seconds=7 * DAY)
        services.claim_seat(game, 1 - absent, absent, "resign")
        assert phase_and_ending(game) == ("over", "abandoned")

    def test_games_that_are_forgotten_end(self, world: World, advance: Advancing) -> None:
        table, game = world.gathering(), world.playing()
        advance(seconds=7 * DAY)
        assert phase_and_ending(table) == ("over", "called_off")
        assert phase_and_ending(game) == ("playing", None)
        advance(seconds=83 * DAY)
        assert phase_and_ending(game) == ("over", "expired")

    def test_keys_expire_and_unused_accounts_are_deleted(self, advance: Advancing) -> None:
        account = services.create_account("Ada")
        expires = timezone.now() + timedelta(hours=1)
        _, secret = create_key(account, "", ALL_SCOPES, expires)
        caller = Client(headers={"authorization": f"Bearer {secret}"})
        assert caller.get("/api/v1/me").status_code == 200
        advance(seconds=3600)
        assert caller.get("/api/v1/me").status_code == 401
        advance(seconds=91 * DAY)
        assert not selectors.account_exists(account.pk)
