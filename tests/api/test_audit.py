"""Reading and checking a game: choice, log, states, pictures, exports, proof."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

import pytest

from api.limits import upload_limits
from games import position_cache, selectors, services
from games.audit import sandbox
from games.models import Entry, Game
from tabularium_engines.common import json_codec
from tabularium_engines.installed.registry import ENGINES
from tests.api.calls import LINES
from tests.api.program import Program
from tests.api.test_matrix import assert_refused
from tests.api.world import BASE, World, rows
from tests.games.audit.forging import of_another_version
from tests.games.audit.making import new_plan, play_plan
from tests.games.sitting import SLUG
from tests.games.tampering import take_guards_away

GAMES = f"{BASE}/games"
NIX = {"type": "law_of_the_dice.nix"}


def export_of(program: Program, game: str, **query: str) -> bytes:
    """The export of a game."""
    response = program.get(f"{GAMES}/{game}/export", query)
    assert response["Content-Disposition"] == f'attachment; filename="{game}.ndjson"'
    return response.getvalue()


def verification(program: Program, export: bytes) -> Any:
    return program.send(f"{BASE}/verifications", export, content_type=LINES).json()


class TestChoice:
    def test_offers_what_can_be_sent_back(self, world: World) -> None:
        game = world.awaiting()
        choice = world.as_ada.get(f"{GAMES}/{game}/choice").json()
        for offer in choice["offers"]:
            body = {"seat": 0, "choice": choice["token"], "action": offer["action"]}
            check = world.as_ada.send(f"{GAMES}/{game}/actions/check", body).json()
            assert (check["is_legal"], check["offer"]) == (True, offer)
        seat_choice = world.as_ada.get(f"{GAMES}/{game}/choice?seat=0").json()
        assert seat_choice == choice

    def test_says_why_there_is_none(self, world: World) -> None:
        game = world.awaiting()
        assert_refused(world.as_bob.get(f"{GAMES}/{game}/choice"), "not-your-turn")
        assert_refused(world.as_ada.get(f"{GAMES}/{world.gathering()}/choice"), "not-started")
        assert_refused(world.as_ada.get(f"{GAMES}/{world.over()}/choice"), "game-over")
        assert_refused(world.as_ada.get(f"{GAMES}/{game}/choice?seat=1"), "not-your-seat")


class TestDryRun:
    @pytest.mark.parametrize("phase", ["gathering", "over", "awaiting"])
    def test_says_what_is_not_legal_and_why(self, world: World, phase: str) -> None:
        game = getattr(world, phase)()
        before = rows()
        body = {"seat": 0, "action": NIX}
        checked = world.as_ada.send(f"{GAMES}/{game}/actions/check", body).json()
        codes = {"gathering": "not-started", "over": "game-over", "awaiting": "unknown-action"}
        assert (checked["is_legal"], checked["code"]) == (False, codes[phase])
        assert checked["detail"]
        assert checked["offer"] is None
        assert rows() == before


class TestGame:
    def test_is_told_once(self, world: World) -> None:
        game = world.awaiting()
        first = world.as_ada.get(f"{GAMES}/{game}")
        again = {"If-None-Match": first["ETag"]}
        assert world.as_ada.get(f"{GAMES}/{game}", headers=again).status_code == 304
        assert world.as_bob.get(f"{GAMES}/{game}", headers=again).status_code == 200
        world.as_ada.send(f"{GAMES}/{game}/actions", world.body(game))
        assert world.as_ada.get(f"{GAMES}/{game}", headers=again).status_code == 200

    def test_is_seen_from_one_own_seat_or_from_outside(self, world: World) -> None:
        game = world.playing()
        assert world.as_bob.get(f"{GAMES}/{game}").json()["view"]["seat"] == 1
        for path in (f"{GAMES}/{game}?as=onlooker", f"{GAMES}/{game}/states/4?as=onlooker"):
            assert world.as_bob.get(path).json()["view"]["seat"] is None
        for subpath in (
            "",
            "/log",
            "/log/4",
            "/states/4",
            "/picture.svg",
            "/picture.txt",
            "/export",
        ):
            path = f"{GAMES}/{game}{subpath}?as=seat:0"
            assert world.as_ada.get(path).status_code == 200
            assert_refused(world.as_bob.get(path), "not-your-seat")
            assert_refused(world.as_nobody.get(path), "not-your-seat")


class TestLog:
    def test_comes_in_pages(self, world: World) -> None:
        game = world.over()
        log = world.as_eve.get(f"{GAMES}/{game}/log").json()
        assert log["next_after"] is None
        items, after = [], 0
        while after is not None:
            page = world.as_eve.get(f"{GAMES}/{game}/log?after={after}&limit=2").json()
            items += page["items"]
            after = page["next_after"]
        assert items == log["items"]
        assert [item["seq"] for item in items] == [*range(1, len(items) + 1)]
        for item in items:
            assert world.as_eve.get(f"{GAMES}/{game}/log/{item['seq']}").json() == item


class TestStates:
    def test_of_the_past_stay_as_they_were(self, world: World) -> None:
        game = world.playing()
        past = world.as_ada.get(f"{GAMES}/{game}/states/4?as=seat:0")
        assert "immutable" in past["Cache-Control"]
        services.resign_seat(game, 1)
        position_cache.cache.clear()
        again = world.as_eve.get(f"{GAMES}/{game}/states/4?as=seat:0")
        assert again.json() == past.json()

    def test_need_a_deal(self, world: World) -> None:
        for subpath in ("states/1", "picture.svg", "picture.txt?seq=1"):
            assert_refused(
                world.as_ada.get(f"{GAMES}/{world.gathering()}/{subpath}"), "not-started"
            )

    def test_can_be_looked_at(self, world: World) -> None:
        game = world.playing()
        text = world.as_ada.get(f"{GAMES}/{game}/picture.txt").content.decode()
        assert text.startswith("Law of the Dice as seat 0 sees it")
        picture = world.as_ada.get(f"{GAMES}/{game}/picture.svg").content.decode()
        assert "as seat 0 sees it" in picture
        assert_refused(world.as_ada.get(f"{GAMES}/{game}/picture.svg?seq=99"), "unknown-entry")


class TestExports:
    def test_verify_for_whoever_took_them(self, world: World) -> None:
        game = world.awaiting()
        for program in (world.as_ada, world.as_bob, world.as_nobody):
            finding = verification(world.as_eve, export_of(program, game))
            assert (finding["is_good"], finding["game"]) == (True, game)

    def test_are_found_out_if_a_line_was_changed(self, world: World) -> None:
        export = export_of(world.as_ada, world.over())
        before = rows()
        lines = export.splitlines(keepends=True)
        for number in range(len(lines)):
            edited = [*lines[:number], *lines[number + 1 :]]
            assert not verification(world.as_eve, b"".join(edited))["is_good"]
        assert rows() == before

    @pytest.mark.parametrize("export", [b"\n", b"{}\n", b"nix", b"\xff\n", b"[" * 9999])
    def test_that_are_none_are_found_out(self, world: World, export: bytes) -> None:
        assert not verification(world.as_eve, export)["is_good"]
        response = world.as_ada.send(f"{GAMES}/import", export, content_type=LINES)
        assert_refused(response, "invalid-export")

    def test_that_are_empty(self, world: World) -> None:
        path = f"{BASE}/verifications"
        response: Any = world.as_eve.generic("POST", path, b"", CONTENT_TYPE=LINES)
        assert not response.json()["is_good"]
        assert_refused(world.as_eve.generic("POST", path), "unsupported-media-type")

    @pytest.mark.parametrize(
        ("export", "sentence"),
        [
            (b"[" + b"0," * (1 << 15) + b"0]\n", "Line 1 has more than 32768 values."),
            (b"0" * (256 << 10) + b"\n", "Line 1 is longer than 256 kB."),
            (b"\n" * (8 << 20) + b"\n", "An export may have at most 8 MB."),
        ],
    )
    def test_that_are_too_large(self, world: World, export: bytes, sentence: str) -> None:
        for path in (f"{BASE}/verifications", f"{GAMES}/import"):
            problem = assert_refused(
                world.as_ada.send(path, export, content_type=LINES), "too-large"
            )
            assert problem["detail"].startswith(sentence)

    def test_never_replace_another_game(self, world: World) -> None:
        game = world.over()
        export = export_of(world.as_ada, game)
        take_guards_away()
        Game.objects.filter(pk=game).update(hash="0" * 64)
        assert_refused(
            world.as_bob.send(f"{GAMES}/import", export, content_type=LINES), "game-exists"
        )

    def test_need_rules_that_are_here(self, world: World) -> None:
        export = b"".join(of_another_version(play_plan(new_plan(ENGINES[SLUG], 2, 7, ends_at=9))))
        response = world.as_bob.send(f"{GAMES}/import", export, content_type=LINES)
        problem = assert_refused(response, "unknown-rules")
        assert problem["detail"] == f"{SLUG} rules version 99 are not installed."
        assert not verification(world.as_eve, export)["is_good"]


class TestChecks:
    """Each export is checked by a child process, and only a few at once."""

    @pytest.mark.parametrize("path", [f"{BASE}/verifications", f"{GAMES}/import"])
    def test_are_few(self, world: World, path: str) -> None:
        export = world.foreign()
        with upload_limits.check_slot("another"), upload_limits.check_slot(world.ada.pk):
            response = world.as_ada.send(path, export, content_type=LINES)
            assert_refused(response, "too-many-checks")
            other = world.as_bob.send(path, export, content_type=LINES)
            assert_refused(other, "checks-busy")
            assert response["Retry-After"] == other["Retry-After"] == "1"
        assert world.as_bob.send(path, export, content_type=LINES).status_code in (200, 201)

    def test_give_their_place_back_whatever_happens(self, world: World) -> None:
        for _ in range(upload_limits.MAX_CONCURRENT_CHECKS + 1):
            for body in (b"nix", b"0" * (256 << 10) + b"\n"):
                response = world.as_ada.send(f"{GAMES}/import", body, content_type=LINES)
                assert_refused(response, "invalid-export", "too-large")

    def test_that_cost_too_much(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sandbox, "CHILD_COMMAND", (sys.executable, "-c", KILLED))
        response = world.as_ada.send(f"{GAMES}/import", world.foreign(), content_type=LINES)
        assert "docs/verify.py" in assert_refused(response, "too-costly")["detail"]

    def test_for_which_there_is_no_time(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sandbox, "CHECK_TIMEOUT_SECONDS", 0.0)
        monkeypatch.setattr(sandbox, "CHILD_COMMAND", (sys.executable, "-c", SLEEPING))
        path = f"{BASE}/verifications"
        assert_refused(world.as_ada.send(path, b"x", content_type=LINES), "checks-busy")


SLEEPING: Final = "import time; time.sleep(600)"
KILLED: Final = "import os; os.kill(os.getpid(), 9)"


class TestProof:
    def test_binds_the_server_and_tells_the_secret_in_the_end(self, world: World) -> None:
        game = world.playing()
        before = world.as_eve.get(f"{GAMES}/{game}/proof").json()
        assert (before["secret"], before["level"]) == (None, 1)
        services.resign_seat(game, 1)
        after = world.as_eve.get(f"{GAMES}/{game}/proof").json()
        assert after["commitment"] == before["commitment"]
        assert after["secret"]
        assert after["heads"][-1]["seq"] == Game.objects.get(pk=game).seq


def test_a_log_that_does_not_replay_is_said_to_be_broken(world: World) -> None:
    game = world.playing()
    take_guards_away()
    Entry.objects.filter(game=game, seq=3).delete()
    position_cache.cache.clear()
    problem = assert_refused(world.as_ada.get(f"{GAMES}/{game}"), "log-broken")
    assert "3" in problem["detail"]


def test_a_game_that_no_key_opens_is_said_to_be_locked(world: World, settings: Any) -> None:
    running, over = world.playing(), world.over()
    settings.SEALING_KEYS = [bytes(32)]
    position_cache.cache.clear()
    assert world.as_ada.get(f"{GAMES}/{running}/proof").json()["secret"] is None
    for subpath in ("", "/log", "/export", "/picture.svg", "/choice"):
        problem = assert_refused(world.as_ada.get(f"{GAMES}/{running}{subpath}"), "game-locked")
        assert "no sealing key of this server fits" in problem["detail"]
    for subpath in ("", "/log", "/export", "/proof", "/picture.svg"):
        assert world.as_ada.get(f"{GAMES}/{over}{subpath}").status_code == 200


def test_a_view_in_a_reply_is_that_of_the_rules(world: World) -> None:
    game = world.playing()
    table = selectors.game_projection(game)
    view = world.as_ada.get(f"{GAMES}/{game}").json()["view"]
    expected = json.loads(json.dumps(json_codec.to_json(table.engine.view(table.state, 0))))
    assert view == {"type": "law_of_the_dice.view.v3", **expected}
