"""The integrator: each game that is over gets one leaf, in the order of their ends, and never
another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games import services
from games.models import Account, Game
from games.services import SeatAssignment
from record import integrator
from record.growth import lock_tree, read_tree
from record.models import Leaf, Tile, Tree
from record.stored_games import stored_game_leaf, stored_game_leaves
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit.export_verifier import load_verified_game
from tests.games import tampering
from tests.games.audit.making import new_plan, play_plan
from tests.games.sitting import SLUG, acting, bot_game
from tests.games.tampering import assert_rejected
from tests.record.recording import (
    called_off,
    check_whole,
    integrated,
    leaf_of,
    leaves,
    take_guards_away,
)
from tests.support.query_costs import analyze_tables

RECORDED = 20  # games

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("folder"), pytest.mark.stores]


def played() -> str:
    """A game that was played to its end."""
    game = bot_game()
    for _ in acting(game):
        pass
    return game


class TestLeaves:
    def test_every_way_to_end_has_a_leaf(self) -> None:
        seating = [SeatAssignment(account=Account.objects.create()) for _ in range(2)]
        resigned = services.create_game(SLUG, seating).projection.game
        services.resign_seat(resigned, 0)
        elsewhere = play_plan(new_plan(ENGINES[SLUG], 2, 7))
        services.import_game(load_verified_game(elsewhere.lines()))
        games = [played(), resigned, called_off(), elsewhere.plan.game]
        running = bot_game()
        assert integrated().added == len(games)
        for game in games:
            assert leaf_of(game).text == stored_game_leaf(Game.objects.get(pk=game))
        assert Game.objects.get(pk=running).leaf is None
        assert check_whole() == len(games)

    def test_games_that_are_not_public_are_blinded(self) -> None:
        visibilities: list[Any] = ["private", "unlisted", "public"]
        games = {called_off(visibility): visibility for visibility in visibilities}
        integrated()
        for game, visibility in games.items():
            assert (game in leaf_of(game).text) is (visibility == "public")

    def test_the_earliest_end_comes_first(self) -> None:
        games = [called_off() for _ in range(5)]
        for game in games:
            assert integrator.integrate(1).added == 1
            assert leaf_of(game).number == len(leaves()) - 1
        check_whole()

    def test_a_second_round_adds_nothing(self) -> None:
        called_off()
        assert integrated().added == 1
        before = read_tree().root
        assert integrated() == integrator.Integration()
        assert bytes(read_tree().root) == bytes(before)

    def test_a_tree_of_several_tiles(self) -> None:
        """Old games of a store that begins a record are added in batches."""
        games = [called_off() for _ in range(9)]
        row = Game.objects.get(pk=games[0])
        rows = []
        for number in range(600):
            row.pk = f"game_copy{number:05}"
            rows.append(Game(**{f.attname: getattr(row, f.attname) for f in Game._meta.fields}))
        facts = stored_game_leaves(Game.objects.get(pk=games[0]))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                integrator,
                "stored_game_leaves",
                lambda each: tuple(text + each.pk for text in facts),
            )
            Game.objects.bulk_create(rows)
            rounds = 0
            while integrator.integrate(100).found:
                rounds += 1
        assert rounds == 7
        assert check_whole() == 609
        widths = {(tile.level, tile.number): len(tile.hashes) // 32 for tile in Tile.objects.all()}
        assert widths == {(0, 0): 256, (0, 1): 256, (0, 2): 97, (1, 0): 2}


class TestRepetition:
    def test_two_integrators_add_a_leaf_once(self) -> None:
        """The second one has read the same games before the first one added their leaves."""
        games = [called_off(), called_off()]
        late = list(integrator.due_games())
        integrated()
        due, _ = integrator.prepare(late)
        with transaction.atomic():
            assert integrator.add_leaves(lock_tree(), due) == 0
        assert len(leaves()) == len(games)
        check_whole()

    @pytest.mark.parametrize("visibility", ["public", "private"])
    @pytest.mark.parametrize("now_public", [True, False])
    def test_a_restored_game_refers_to_its_leaf(self, visibility: Any, now_public: bool) -> None:
        """Whether or not it was public when it got the leaf."""
        game, other = called_off(visibility), called_off()
        integrated()
        number = leaf_of(game).number
        take_guards_away()
        Game.objects.filter(pk=game).update(
            leaf=None, visibility="public" if now_public else "unlisted"
        )
        Leaf.objects.filter(pk=number).exclude(text__contains=game).update(game=None)
        assert integrated() == integrator.Integration(found=1)
        assert Game.objects.get(pk=game).leaf == number
        assert Leaf.objects.get(pk=number).game == game
        assert leaf_of(other).number == 1 - number
        check_whole()

    def test_a_game_that_ends_otherwise_after_a_restore_has_no_second_leaf(self) -> None:
        game = called_off()
        integrated()
        take_guards_away()
        tampering.take_guards_away()
        Game.objects.filter(pk=game).update(leaf=None, hash="0" * 64)
        assert integrated().added == 0
        assert leaf_of(game).number == 0


class TestFailures:
    def test_a_game_without_a_leaf_blocks_no_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bad, good = called_off(), called_off()

        def fail(row: Game) -> tuple[str, str]:
            if row.pk == bad:
                raise ValueError("no leaf")
            return stored_game_leaves(row)

        monkeypatch.setattr(integrator, "stored_game_leaves", fail)
        outcome = integrated()
        assert (outcome.found, outcome.added) == (2, 1)
        assert [str(problem) for problem in outcome.failures.values()] == ["no leaf"]
        assert integrated(bad) == integrator.Integration()
        monkeypatch.undo()
        assert integrated().added == 1
        assert leaf_of(good).number == 0
        check_whole()

    def test_a_round_that_fails_leaves_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        called_off()

        def fail(*_: Any) -> None:
            raise RuntimeError("killed")

        with monkeypatch.context() as patch:
            patch.setattr(Game.objects, "bulk_update", fail)
            with pytest.raises(RuntimeError):
                integrated()
        assert not Leaf.objects.exists()
        assert not Tile.objects.exists()
        assert integrated().added == 1
        check_whole()

    def test_a_guard_of_another_tree_stops_the_growth(self, folder: Path) -> None:
        called_off()
        (folder / "record_guard").write_text("{}")
        assert integrated() == integrator.Integration()
        assert not Leaf.objects.exists()


class TestPlans:
    def test_a_round_without_due_games_is_one_query_by_an_index(self) -> None:
        for _ in range(RECORDED):
            called_off()
        integrated()
        analyze_tables()  # otherwise the plan depends on the rows that earlier tests left
        with CaptureQueriesContext(connection) as queries:
            integrated()
        assert len(queries) == 1
        assert "not_in_record" in plan_of(queries[0]["sql"])


def plan_of(statement: str) -> str:
    """How the database finds the rows."""
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        if not is_sqlite:
            cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {'QUERY PLAN ' * is_sqlite}{statement}")
        return str(cursor.fetchall())


REFUSED = [
    "UPDATE record_leaf SET text = 'x' WHERE number = 0",
    "UPDATE record_leaf SET hash = (SELECT hashes FROM record_tile) WHERE number = 0",
    "UPDATE record_leaf SET game = 'game_other' WHERE number = 0",
    "UPDATE record_leaf SET game = NULL WHERE number = 0",
    "UPDATE record_leaf SET number = 7 WHERE number = 0",
    "DELETE FROM record_leaf",
    "INSERT INTO record_leaf (number, hash, text) SELECT 3, root, 'x' FROM record_tree",
    "INSERT INTO record_leaf (number, hash, text) SELECT 0, root, 'x' FROM record_tree",
    "UPDATE record_tile SET hashes = (SELECT root FROM record_tree)",
    "UPDATE record_tile SET hashes = hashes",
    "UPDATE record_tile SET number = 5",
    "DELETE FROM record_tile",
    "UPDATE record_tree SET size = 0",
    "UPDATE record_tree SET root = (SELECT hashes FROM record_tile)",
    "DELETE FROM record_tree",
    "UPDATE games_game SET leaf = NULL",
    "UPDATE games_game SET leaf = 5",
]


class TestTriggers:
    @pytest.mark.parametrize("statement", REFUSED)
    def test_the_database_refuses(self, statement: str) -> None:
        called_off()
        called_off("private")
        integrated()  # two leaves: then root, tile and hashes differ
        with assert_rejected("append-only"), connection.cursor() as cursor:
            cursor.execute(statement.replace("number", '"number"'))

    def test_a_tree_is_only_one(self) -> None:
        called_off()
        integrated()
        assert Tree.objects.count() == 1
