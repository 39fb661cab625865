"""Games whose rules are not installed: calls that need no rules answer, every other is a 409 that
names the missing rules, and nothing waits for them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import orjson
import pytest
from django.utils import timezone

from ai import bot_dispatch
from ai.tasks import think
from api.webhooks import delivery_builder
from games import selectors, services
from games.services import SeatAssignment
from jobs import clock_expiry
from tabularium_engines.installed import registry
from tabularium_log.audit import export_verifier
from tabularium_log.projection.table_actions import Clock
from tests.api.calls import LINES
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World, rows
from tests.docs.verifier import VERIFIER
from tests.games.missing_ruleset import MISSING, SENTENCE, remove_ruleset

GAMES: Final = f"{BASE}/games"


@pytest.fixture
def running(world: World) -> str:
    """A game that waits for Ada, after some actions of both."""
    return world.game_after(6)


@pytest.fixture
def finished(world: World) -> str:
    """A game that is over."""
    return world.over()


def assert_not_installed(response: Any) -> None:
    """The response is the 409 with the ruleset and its package."""
    problem = assert_refused(response, "ruleset-not-installed")
    slug, version = MISSING
    package = registry.OWN_PACKAGE
    assert problem["ruleset"] == {"rules": slug, "version": version, "package": package}
    assert problem["detail"] == f"{SENTENCE}: they came with the package {registry.OWN_PACKAGE}."


class TestWithoutRules:
    @pytest.mark.parametrize(
        "subpath", ["", "/choice", "/states/4", "/picture.svg", "/picture.txt"]
    )
    def test_views_pictures_and_choices_are_409(
        self,
        world: World,
        running: str,
        finished: str,
        monkeypatch: pytest.MonkeyPatch,
        subpath: str,
    ) -> None:
        remove_ruleset(monkeypatch)
        for game in (running, finished):
            assert_not_installed(world.as_ada.get(f"{GAMES}/{game}{subpath}"))

    @pytest.mark.parametrize(
        ("subpath", "body"),
        [
            ("/actions", {"seat": 0, "action": {"type": "any"}, "expected_seq": 5}),
            ("/actions/check", {"seat": 0, "action": {"type": "any"}}),
            ("/resign", {"seat": 0}),
            ("/forks", {"seq": 4, "seats": [{"kind": "me"}, {"kind": "bot"}]}),
            ("/analyses", {"seq": 4, "seat": 0}),
        ],
    )
    def test_what_changes_a_game_is_409_and_changes_nothing(
        self,
        world: World,
        running: str,
        monkeypatch: pytest.MonkeyPatch,
        subpath: str,
        body: Any,
    ) -> None:
        remove_ruleset(monkeypatch)
        before = rows()
        assert_not_installed(world.as_ada.send(f"{GAMES}/{running}{subpath}", body))
        assert rows() == before

    @pytest.mark.parametrize("kind", ["running", "finished"])
    def test_the_log_answers_without_news(
        self,
        world: World,
        request: pytest.FixtureRequest,
        monkeypatch: pytest.MonkeyPatch,
        kind: str,
    ) -> None:
        game = request.getfixturevalue(kind)
        path = f"{GAMES}/{game}/log"
        before = world.as_ada.get(path).json()["items"]
        remove_ruleset(monkeypatch)
        items = world.as_ada.get(path).json()["items"]
        assert [entry["public"] for entry in items] == [entry["public"] for entry in before]
        assert [entry["hash"] for entry in items] == [entry["hash"] for entry in before]
        assert {entry["news"] for entry in map(_with_news_as_tuple, items)} == {None}
        opened = [entry["opened"] for entry in items]
        assert opened == ([{}] * len(items) if kind == "running" else [e["opened"] for e in before])
        lines = world.as_ada.get(path, headers={"Accept": LINES}).getvalue()
        assert [orjson.loads(line) for line in lines.splitlines()] == items
        assert world.as_ada.get(f"{path}/4").json() == items[3]
        assert world.as_ada.get(f"{path}?after=2&limit=2").json()["items"] == items[2:4]
        assert world.as_ada.get(f"{path}?after={len(items)}").json()["items"] == []
        for unknown in (0, len(items) + 1):
            assert_refused(world.as_ada.get(f"{path}/{unknown}"), "unknown-entry")

    def test_the_proof_is_the_same(
        self, world: World, running: str, finished: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        paths = [f"{GAMES}/{game}/proof" for game in (running, finished)]
        before = [world.as_ada.get(path).json() for path in paths]
        remove_ruleset(monkeypatch)
        assert [world.as_ada.get(path).json() for path in paths] == before

    def test_exports_answer_and_both_verifiers_accept_them(
        self, world: World, running: str, finished: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        whole = world.as_ada.get(f"{GAMES}/{finished}/export").getvalue()
        remove_ruleset(monkeypatch)
        for game in (running, finished):
            export = world.as_ada.get(f"{GAMES}/{game}/export").getvalue()
            lines = export.splitlines(keepends=True)
            assert VERIFIER.verify(lines)[0].startswith(f"OK: {game}")
            verdict = export_verifier.verify_export(lines)
            assert verdict.is_good == (game == running)
            assert verdict.has_rules == (game == running)
            if game == finished:
                assert export == whole
                assert str(verdict) == (
                    f"{game}: not installed, {verdict.entries} entries chained: {SENTENCE}."
                )

    def test_an_altered_export_is_bad_without_the_rules_too(
        self, world: World, finished: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lines = world.as_ada.get(f"{GAMES}/{finished}/export").getvalue().splitlines(keepends=True)
        remove_ruleset(monkeypatch)
        index = next(i for i, line in enumerate(lines) if line.startswith(b'{"reveal"'))
        for old, new in ((b'"/draws":[[', b'"/draws":[[1'),):
            assert old in lines[index]
            forged = [*lines[:index], lines[index].replace(old, new, 1), *lines[index + 1 :]]
            verdict = export_verifier.verify_export(forged)
            assert verdict.has_rules
            assert "do not match the seals" in verdict.sentence
        assert export_verifier.verify_export(lines, key="0" * 64).has_rules

    def test_the_stream_of_a_finished_game_ends(
        self, world: World, finished: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        remove_ruleset(monkeypatch)
        seq = selectors.game_head(finished).seq
        response = world.as_ada.get(f"{GAMES}/{finished}/stream?after={seq}")
        assert response.status_code == 204

    def test_lists_show_the_games(
        self, world: World, running: str, finished: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        remove_ruleset(monkeypatch)
        for path in (GAMES, f"{BASE}/me/games"):
            listed = {game["id"] for game in world.as_ada.get(path).json()["items"]}
            assert listed == {running, finished}

    def test_new_games_and_imports_are_refused(
        self, world: World, finished: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        export = world.as_ada.get(f"{GAMES}/{finished}/export").getvalue()
        remove_ruleset(monkeypatch)
        body = {"rules": MISSING.slug, "seats": [{"kind": "me"}, {"kind": "bot"}]}
        assert_refused(world.as_ada.send(GAMES, body), "unknown-rules")
        assert world.as_ada.get(f"{BASE}/rules/{MISSING.slug}").status_code == 404
        assert world.as_ada.send(f"{BASE}/verifications", export, content_type=LINES).json()


class TestBackgroundWork:
    def test_nothing_waits_for_such_a_game(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seating = [SeatAssignment(account=world.ada), SeatAssignment(bot="random")]
        clock = Clock(1_000, "random")
        for _ in range(2):
            services.create_game(MISSING.slug, seating, owner=world.ada, clock=clock)
        later = timezone.now() + timedelta(minutes=1)
        assert selectors.games_past_deadline(later).count() == 2
        remove_ruleset(monkeypatch)
        assert not selectors.games_past_deadline(later).exists()
        assert not selectors.games_stalled(later, timedelta(0)).exists()
        assert not selectors.games_ahead_of_clock(later - timedelta(days=1)).exists()
        assert not delivery_builder.unannounced_games(later - timedelta(days=1), later).exists()
        assert clock_expiry.expire_clocks() == 0
        assert not list(bot_dispatch.outbox.find_lost())

    def test_a_message_for_its_bot_is_dropped(
        self, world: World, running: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        remove_ruleset(monkeypatch)
        before = rows()
        think.apply(args=[running, 0, "0" * 22], throw=True)
        assert rows() == before


def _with_news_as_tuple(entry: Any) -> Any:
    return entry | {"news": entry["news"] if entry["news"] is None else tuple(entry["news"])}
