"""The database refuses every known way of altering a log, from any client."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest
from django.contrib.admin import AdminSite, ModelAdmin
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import F, ProtectedError, Value
from django.db.models.functions import Replace
from django.test import RequestFactory

from games.audit.stored_game_verifier import verify_game
from games.models import Account, Entry, Game, Player
from tests.games.tampering import (
    ON_POSTGRESQL,
    ON_SQLITE,
    REFUSED,
    assert_rejected,
    attempt,
    log,
    new_game,
    take_guards_away,
)

pytestmark = pytest.mark.stores

REFUSALS: Final = (
    REFUSED,
    *(
        import_module(f"record.migrations.{name}").REFUSED
        for name in ("0001_tables", "0002_witness")
    ),
)
HERE: Final = ON_POSTGRESQL if connection.vendor == "postgresql" else ON_SQLITE


@pytest.mark.parametrize("name", HERE)
def test_refuses(name: str, game: Game) -> None:
    with assert_rejected():
        attempt(HERE[name], game)


def test_lets_through_what_follows(game: Game) -> None:
    last = Entry.objects.get(game=game, seq=game.seq)
    more = [Entry(game=game, seq=last.seq + step, at=0, hash=b"") for step in (1, 2, 3)]
    with transaction.atomic():
        assert Game.objects.filter(pk=game.pk).update(seq=F("seq") + 3, hash="next") == 1
        Entry.objects.bulk_create(more)
        assert Entry.objects.filter(game=game).count() == last.seq + 3
        transaction.set_rollback(True)


def test_the_rest_of_a_game_may_change(game: Game) -> None:
    assert Game.objects.filter(pk=game.pk).update(visibility="private", awaited=2) == 1
    game.refresh_from_db()
    game.save()  # names every column
    Account.objects.all().delete()
    assert Game.objects.get(pk=game.pk).owner is None
    assert Player.objects.filter(game=game, account=None).count() == 2


class TestWhoeverOwnsTheDatabase:
    """The owner of the database can remove the guards, which no database prevents; the audit then
    notices."""

    def test_is_found_out(self, db: None) -> None:
        game = new_game()
        assert verify_game(game.pk).is_good
        connection.check_constraints()
        take_guards_away()
        entry = Entry.objects.filter(game=game, seq=2)
        assert entry.update(action=Replace("action", Value("join"), Value("left"))) == 1
        verdict = verify_game(game.pk)
        assert (verdict.is_good, verdict.seq) == (False, 2)

    def test_is_found_out_with_a_head_that_is_ahead_of_the_log(self, db: None) -> None:
        game = new_game()
        Game.objects.filter(pk=game.pk).update(seq=F("seq") + 1, hash="forged")
        verdict = verify_game(game.pk)
        assert (verdict.is_good, verdict.seq) == (False, game.seq + 1)


class TestOrm:
    def test_save(self, game: Game) -> None:
        entry = Entry.objects.get(game=game, seq=2)
        entry.action = "forged"
        with assert_rejected():
            entry.save()
        with assert_rejected():
            entry.save(force_insert=True)

    def test_delete(self, game: Game) -> None:
        with assert_rejected():
            Entry.objects.get(game=game, seq=game.seq).delete()
        with assert_rejected():
            Entry.objects.all().delete()
        with assert_rejected():
            Entry.objects.filter(seq=1)._raw_delete("default")

    def test_update(self, game: Game) -> None:
        with assert_rejected():
            Entry.objects.filter(game=game).update(action="forged")
        with assert_rejected():
            Entry.objects.update_or_create({"action": "forged"}, game=game, seq=2)

    def test_bulk_update(self, game: Game) -> None:
        entries = list(Entry.objects.filter(game=game))
        for entry in entries:
            entry.action = "forged"
        with assert_rejected():
            Entry.objects.bulk_update(entries, ["action"])

    def test_bulk_create(self, game: Game) -> None:
        forged_entries = [Entry(game=game, seq=2, at=0, action="forged", hash=b"")]
        with assert_rejected():
            Entry.objects.bulk_create(
                forged_entries,
                update_conflicts=True,
                update_fields=["action"],
                unique_fields=["game", "seq"],
            )
        with assert_rejected():
            Entry.objects.bulk_create(forged_entries, ignore_conflicts=True)
        with assert_rejected():
            Entry.objects.bulk_create(forged_entries)

    def test_of_games(self, game: Game) -> None:
        with pytest.raises(ProtectedError):
            game.delete()
        with assert_rejected():
            Game.objects.filter(pk=game.pk)._raw_delete("default")
        game.seats += 1
        with assert_rejected():
            game.save()


class TestAdmin:
    def test_cannot_show_entries_at_all(self) -> None:
        with pytest.raises(ImproperlyConfigured, match="composite primary key"):
            AdminSite().register(Entry)

    def test_could_not_alter_them_either(self, game: Game) -> None:
        admin, request = ModelAdmin(Entry, AdminSite()), RequestFactory().post("/")
        entry = Entry.objects.get(game=game, seq=2)
        entry.action = "forged"
        with assert_rejected():
            admin.save_model(request, entry, form=None, change=True)
        with assert_rejected():
            admin.delete_model(request, entry)
        with assert_rejected():
            admin.delete_queryset(request, Entry.objects.all())

    def test_keeps_the_games(self, game: Game) -> None:
        admin, request = ModelAdmin(Game, AdminSite()), RequestFactory().post("/")
        with pytest.raises(ProtectedError):
            admin.delete_model(request, game)
        game.rules = "forged"
        with assert_rejected():
            admin.save_model(request, game, form=None, change=True)


class TestManagePy:
    def test_flush(self, game: Game) -> None:
        kept = log()
        with pytest.raises(CommandError) as failed, transaction.atomic():
            call_command("flush", interactive=False, verbosity=0)
        # the tables are emptied in any order: the first guard that is met refuses
        refusal = str(failed.value.__cause__)
        assert any(reason in refusal for reason in REFUSALS), refusal
        assert log() == kept

    @pytest.mark.parametrize("seq", [2, 4, 6])
    def test_loaddata(self, seq: int, game: Game, tmp_path: Path) -> None:
        fields = {"game": game.pk, "seq": seq, "at": 0, "action": "forged", "hash": ""}
        fixture = tmp_path / "forged.json"
        row = {"model": "games.entry", "pk": [game.pk, seq], "fields": fields}
        fixture.write_text(json.dumps([row]))
        with pytest.raises(IntegrityError, match=REFUSED), transaction.atomic():
            call_command("loaddata", str(fixture), verbosity=0)
