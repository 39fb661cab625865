"""Imported games: they say so, are listed apart, count against a quota, and keep the receipts of
their own server; no other server signs them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import StringIO
from itertools import count
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections, transaction

from games import selectors, services
from games.audit import stored_game_verifier
from games.models import Account, Game, Import
from games.services import SeatAssignment, imports
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit import export_verifier
from tabularium_log.fairness.signed_hash_chain import public_key
from tabularium_log.projection.projection import GameRefusal
from tests.api.calls import LINES
from tests.api.program import Program
from tests.api.test_audit import GAMES, export_of, verification
from tests.api.test_matrix import assert_refused
from tests.api.world import World
from tests.docs.test_second_verifier import NODE, second_verdicts
from tests.docs.verifier import VERIFIER
from tests.games.audit.making import OTHER_KEY, new_plan, play_plan
from tests.games.sitting import SLUG
from tests.games.tampering import forget_games, take_guards_away
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

OTHERS: Final = public_key(OTHER_KEY)


def import_export(program: Program, export: bytes) -> Any:
    """The response to an import."""
    return program.send(f"{GAMES}/import", export, content_type=LINES)


def listed_ids(program: Program, query: str = "") -> list[str]:
    """The ids of a list, in its order, page by page."""
    ids, cursor = list[str](), ""
    while cursor is not None:
        page = program.get(f"{GAMES}?limit=2{query}{cursor and f'&cursor={cursor}'}").json()
        ids += [item["id"] for item in page["items"]]
        cursor = page["next_cursor"]
    return ids


class TestAnImportedGame:
    def test_says_where_it_was_played(self, world: World) -> None:
        response = import_export(world.as_ada, world.foreign())
        game = response.json()["id"]
        for document in (response.json(), world.as_nobody.get(f"{GAMES}/{game}").json()):
            assert document["imported"]["key"] == OTHERS
            assert document["imported"]["at"]
            assert document["origin"] is None
        (item,) = world.as_nobody.get(f"{GAMES}?imported=true").json()["items"]
        assert item["imported"] == response.json()["imported"]

    def test_of_here_does_not(self, world: World) -> None:
        game = world.over()
        assert world.as_ada.get(f"{GAMES}/{game}").json()["imported"] is None
        assert world.as_ada.get(GAMES).json()["items"][0]["imported"] is None

    def test_is_kept_once(self, world: World) -> None:
        export = world.foreign()
        first = import_export(world.as_ada, export)
        assert (first.status_code, first.json()["phase"]) == (201, "over")
        for program in (world.as_ada, world.as_bob):
            again = import_export(program, export)
            assert (again.status_code, again.json()["id"]) == (200, first.json()["id"])
        assert Import.objects.get().account == world.ada

    def test_is_listed_only_where_it_is_asked_for(self, world: World) -> None:
        own_games = [world.over() for _ in range(3)]
        imported_games = [world.imported_game(number=number) for number in (0xFFFF << 112, 1, 5)]
        assert listed_ids(world.as_nobody) == sorted(own_games, reverse=True)
        assert listed_ids(world.as_nobody, "&imported=true") == imported_games[::-1]
        assert listed_ids(world.as_nobody, "&imported=true&phase=playing") == []
        assert listed_ids(world.as_nobody, "&imported=false") == sorted(own_games, reverse=True)

    def test_keeps_its_place_while_others_come(self, world: World) -> None:
        first, second_ = world.imported_game(number=9), world.imported_game(number=3)
        page = world.as_eve.get(f"{GAMES}?imported=true&limit=1").json()
        world.imported_game(number=0xFFFF << 112)
        cursor = page["next_cursor"]
        following = world.as_eve.get(f"{GAMES}?imported=true&limit=1&cursor={cursor}").json()
        assert [page["items"][0]["id"], following["items"][0]["id"]] == [second_, first]

    def test_is_of_no_concern_to_those_who_play_here(self, world: World) -> None:
        world.imported_game()
        assert world.as_ada.get("/api/v1/me/games").json()["items"] == []
        assert_refused(world.as_ada.get("/api/v1/me/games?imported=true"), "unknown-parameter")

    def test_can_be_played_on_from(self, world: World) -> None:
        game = world.imported_game()
        seats = [SeatAssignment(bot="random")] * 2
        fork = services.fork_game(game, 6, seats, owner=world.ada).projection.game
        document = world.as_ada.get(f"{GAMES}/{fork}").json()
        assert (document["imported"], document["origin"]["game"]) == (None, game)
        assert document["id"] in listed_ids(world.as_ada)
        assert world.as_ada.get(f"{GAMES}/{fork}/proof").json()["heads"]


class TestHiding:
    def test_takes_it_off_the_list_and_no_more(self, world: World) -> None:
        game = world.imported_game()
        for _ in range(2):
            hidden = world.as_ada.send(f"{GAMES}/{game}/hide")
            assert (hidden.status_code, hidden.json()["visibility"]) == (200, "unlisted")
        assert listed_ids(world.as_ada, "&imported=true") == []
        assert verification(world.as_ada, export_of(world.as_nobody, game))["is_signed"]
        assert world.as_nobody.get(f"{GAMES}/{game}/proof").json()["heads"]

    def test_is_for_the_account_that_brought_it(self, world: World) -> None:
        for game in (world.imported_game(), world.over()):
            assert_refused(world.as_bob.send(f"{GAMES}/{game}/hide"), "not-your-game")

    def test_by_the_operator(self, world: World) -> None:
        games, out = [world.imported_game(), world.over()], StringIO()
        call_command("game", "hide", *games, stdout=out)
        assert listed_ids(world.as_nobody) == listed_ids(world.as_nobody, "&imported=true") == []
        assert export_of(world.as_nobody, games[1])
        call_command("game", "hide", games[1], stdout=out)
        call_command("game", "list", games[0], stdout=out)
        assert listed_ids(world.as_nobody, "&imported=true") == games[:1]
        states = ("hidden", "hidden", "it was hidden already", "listed")
        said = zip((*games, games[1], games[0]), states, strict=True)
        assert out.getvalue().splitlines() == [f"{game}: {state}." for game, state in said]

    def test_what_is_not_there_or_private(self, world: World) -> None:
        with pytest.raises(CommandError, match="There is no game game_0"):
            call_command("game", "hide", world.over(), "game_0")
        with pytest.raises(CommandError, match="is private"):
            call_command("game", "hide", world.over(visibility="private"))


class TestReceipts:
    def test_travel_from_server_to_server(self, world: World, settings: Any, tmp_path: Any) -> None:
        """From A to B to C, and home to A: three servers with keys of their own."""
        first, game = b"", world.over()
        take_guards_away()
        homes = (settings.SIGNING_KEYS, settings.SEALING_KEYS), ([b"b" * 32], [b"B" * 32])
        a_key = public_key(settings.SIGNING_KEYS[0])
        for signing, sealing in (*homes, ([b"c" * 32], [b"C" * 32]), homes[0]):
            settings.SIGNING_KEYS, settings.SEALING_KEYS = signing, sealing
            if first:
                forget_games()
                assert import_export(world.as_ada, first).status_code == 201
            export = export_of(world.as_eve, game)
            assert export == (first or export)
            first = export
            check_good(world, export, a_key, tmp_path)
            proof = world.as_eve.get(f"{GAMES}/{game}/proof").json()
            assert {head["key"] for head in proof["heads"]} == {a_key} == {proof["key"]}
            assert stored_game_verifier.verify_game(game).is_good

    def test_at_home_it_is_the_same_game(self, world: World) -> None:
        game = world.over()
        response = import_export(world.as_bob, export_of(world.as_ada, game))
        assert (response.status_code, response.json()["id"]) == (200, game)
        assert response.json()["imported"] is None

    def test_bring_a_lost_game_back_home(self, world: World) -> None:
        """Its receipts prove that it is this server's own; only its visibility is lost."""
        game = world.over(visibility="private")
        export = export_of(world.as_ada, game)
        take_guards_away()
        forget_games()
        response = import_export(world.as_bob, export)
        assert (response.status_code, response.json()["imported"]) == (201, None)
        assert response.json()["visibility"] == "unlisted"
        assert listed_ids(world.as_bob) == listed_ids(world.as_bob, "&imported=true") == []
        assert export_of(world.as_bob, game) == export

    def test_without_them_no_game_comes(self, world: World) -> None:
        lines = play_plan(new_plan(ENGINES[SLUG], 2, 7, key=OTHER_KEY, ends_at=9)).lines(
            key=b"?" * 32
        )
        finding = verification(world.as_eve, b"".join(lines))
        assert (finding["is_good"], finding["is_signed"]) == (True, False)
        problem = assert_refused(import_export(world.as_ada, b"".join(lines)), "invalid-export")
        assert "receipts" in problem["detail"]

    def test_that_were_lost_before_this_server_kept_them(self, world: World) -> None:
        game = world.imported_game()
        Import.objects.update(receipts="[]", at=None)
        export = export_of(world.as_ada, game)
        finding = verification(world.as_ada, export)
        assert (finding["is_good"], finding["is_signed"]) == (True, False)
        assert finding["detail"].endswith("entries, without signatures")
        assert import_export(world.as_ada, export).status_code == 200
        assert world.as_ada.get(f"{GAMES}/{game}/proof").json()["heads"] == []
        assert world.as_ada.get(f"{GAMES}/{game}").json()["imported"] == {"key": OTHERS, "at": None}

    def test_are_not_made_for_a_game_under_another_key(self, world: World, settings: Any) -> None:
        game = world.over()
        settings.SIGNING_KEYS = [b"?" * 32]
        assert world.as_ada.get(f"{GAMES}/{game}/proof").json()["heads"] == []


def check_good(world: World, export: bytes, key: str, folder: Any) -> None:
    """Assert that all three verifiers accept it, signed by that key."""
    lines = export.splitlines(keepends=True)
    finding = verification(world.as_eve, export)
    assert (finding["is_good"], finding["is_signed"]) == (True, True)
    assert export_verifier.verify_export(lines, key=key).is_good
    assert VERIFIER.verify(lines, key=key)[2] == f"Signed by {key}"
    if NODE is not None:
        (verdict,) = second_verdicts(folder, lines)
        assert verdict["ok"]


class TestQuota:
    def test_ends_imports_but_not_repetitions(self, world: World, settings: Any) -> None:
        settings.IMPORTS_EACH = 1
        export = world.foreign(1)
        assert import_export(world.as_ada, export).status_code == 201
        problem = assert_refused(import_export(world.as_ada, world.foreign(2)), "too-many-imports")
        assert problem["detail"].startswith("You have imported 1 games")
        assert import_export(world.as_ada, export).status_code == 200
        assert import_export(world.as_bob, world.foreign(2)).status_code == 201

    def test_does_not_count_what_comes_home(self, world: World, settings: Any) -> None:
        settings.IMPORTS_EACH = 0
        export = export_of(world.as_ada, world.over())
        take_guards_away()
        forget_games()
        assert import_export(world.as_ada, export).status_code == 201

    def test_holds_when_many_come_at_once(self, kept_here: Kept, settings: Any) -> None:
        assert len(import_at_once(settings)) == settings.IMPORTS_EACH
        assert Import.objects.count() == Game.objects.count() == settings.IMPORTS_EACH

    def test_would_not_hold_if_it_were_asked_before(
        self, kept_here: Kept, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        check = imports._check_quota
        account = Account.objects.create().pk
        monkeypatch.setattr(imports, "_check_quota", lambda account: None)
        settings.IMPORTS_EACH = 1
        for _ in range(2):  # both are checked before the first import
            with transaction.atomic():
                check(account)
        for number in range(2):
            services.import_game(games_of(number)[0], account)
        assert Import.objects.count() == 2

    def test_one_game_that_comes_many_times_at_once(self, kept_here: Kept, settings: Any) -> None:
        account = Account.objects.create().pk
        (carried,) = games_of(1)
        results = run_concurrently([lambda: services.import_game(carried, account).is_new] * 8)
        assert sorted(results) == [False] * 7 + [True]
        assert Import.objects.count() == 1


def games_of(*numbers: int) -> list[Any]:
    """Verified games of another server, ready to be imported."""
    plans = [new_plan(ENGINES[SLUG], 2, 1 + number, key=OTHER_KEY, ends_at=3) for number in numbers]
    return [export_verifier.load_verified_game(play_plan(plan).lines()) for plan in plans]


def import_at_once(settings: Any) -> list[Any]:
    """The new imports of one account that sends many games at once."""
    settings.IMPORTS_EACH = 3
    account = Account.objects.create().pk

    def import_game(export: Any) -> bool:
        try:
            return services.import_game(export, account).is_new
        except GameRefusal as refusal:
            return refusal.code != "too-many-imports"

    games = games_of(*range(12))
    return [
        is_new
        for is_new in run_concurrently([partial(import_game, one) for one in games])
        if is_new
    ]


def run_concurrently(tasks: list[Callable[[], Any]]) -> list[Any]:
    """The results of the tasks, each in a thread of its own."""

    def run_task(task: Callable[[], Any]) -> Any:
        try:
            return task()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(tasks)) as pool:
        return list(pool.map(run_task, tasks))


class TestMigration:
    @pytest.mark.lane("processes")
    def test_marks_what_came_before(self, kept_here: Kept, settings: Any) -> None:
        own_game, rated_game = finish_own_games(settings)
        (export,) = games_of(1)
        imported_game = services.import_game(export).game.pk
        connection.close()  # its views of the tables would stand in the way
        for target in ("0003", "0004"):
            call_command("migrate", "games", target, verbosity=0)
        record = Import.objects.get()
        assert (record.game_id, record.key, record.at) == (imported_game, OTHERS, None)
        assert {own_game, rated_game} == set(
            Game.objects.filter(imported=None).values_list("pk", flat=True)
        )


def finish_own_games(settings: Any) -> tuple[str, str]:
    """Two finished games of this server, one of which began under an older key."""
    made_here = list[str]()
    for key, number in zip((b"o" * 32, settings.SIGNING_KEYS[0]), count(), strict=False):
        settings.SIGNING_KEYS = [key]
        account = Account.objects.create(name=f"{number}")
        seats = [SeatAssignment(account=account)] * 2
        table = services.create_game(SLUG, seats, owner=account if number else None).projection
        services.resign_seat(table.game, 0)
        assert selectors.game_projection(table.game).phase == "over"
        made_here.append(table.game)
    return made_here[0], made_here[1]
