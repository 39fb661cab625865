"""The service notices and locates tampering with a game in its database. The log is append-only
there, so the triggers are removed first, as an owner of the database could."""

from __future__ import annotations

import importlib
import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F

from games import position_cache, selectors, services
from games.audit import quick_verifier, stored_game_export, stored_game_verifier
from games.models import Entry as EntryRow
from games.models import Game, Player
from games.services import SeatAssignment
from record.management.commands.verify import UNCHECKED_EXIT_STATUS
from tabularium_engines.installed import registry
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.audit import export_verifier
from tabularium_log.audit.export_reader import read_export
from tabularium_log.audit.verdict import Flaw, Verdict
from tabularium_log.audit.verified_game import read_verified_game
from tabularium_log.fairness.signed_hash_chain import public_key, sign_receipt
from tabularium_log.projection.projection import GameRefusal
from tests.docs.verifier import VERIFIER
from tests.games.missing_ruleset import SENTENCE, remove_ruleset
from tests.games.sitting import acting, bot_game

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


@pytest.fixture
def game() -> str:
    """A finished game."""
    game_id = bot_game()
    for _ in acting(game_id):
        pass
    return game_id


@pytest.fixture
def running_game() -> str:
    """A half-played game."""
    game_id = bot_game()
    for _, _ in zip(acting(game_id), range(12), strict=False):
        pass
    return game_id


def remove_triggers() -> None:
    """Remove the triggers, until the test's transaction is rolled back."""
    guards: Any = importlib.import_module("games.migrations.0002_append_only")
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # pending ones block the table
        for statement in guards.lifting(connection.vendor):
            cursor.execute(statement)


def overwrite_column(game: str, seq: int, column: str, value: Any) -> None:
    """Overwrite a column of an entry, with the triggers removed."""
    remove_triggers()
    with connection.cursor() as cursor:
        query = f"UPDATE games_entry SET {column} = %s WHERE game_id = %s AND seq = %s"
        cursor.execute(query, [value, game, seq])


def verify(game: str) -> Verdict:
    """The verdict on a game by the replay, with which the quick pass has to agree."""
    verdict = stored_game_verifier.verify_game(game)
    assert list(quick_verifier.find_good([game])) == ([verdict] if verdict.is_good else [])
    assert list(quick_verifier.verify_games([game])) == [verdict]
    return verdict


def text_of(game: str, seq: int) -> str:
    """The text of an entry."""
    return next(line.text for line in selectors.game_log(game, None, seq - 1, 1))


class TestVerifying:
    def test_good_games_are_good(self, game: str, running_game: str) -> None:
        assert verify(game).is_good
        assert verify(game).is_over
        assert verify(running_game).is_good
        assert not verify(running_game).is_over

    @pytest.mark.parametrize("seq", [1, 3, 4, 9])
    def test_an_altered_text(self, game: str, seq: int) -> None:
        overwrite_column(game, seq, "at", 1_577_836_800_000)
        verdict = verify(game)
        assert verdict.seq == seq
        assert verdict.sentence

    def test_an_altered_hash(self, game: str) -> None:
        overwrite_column(game, 5, "hash", bytes(32))
        verdict = verify(game)
        assert (verdict.seq, verdict.sentence) == (
            5,
            "The hash stored with the entry is not its hash.",
        )

    @pytest.mark.parametrize("seq", [2, 5])
    def test_an_altered_box(self, game: str, seq: int) -> None:
        overwrite_column(game, seq, "box", b"nothing of the kind")
        verdict = verify(game)
        assert (verdict.seq, verdict.sentence) == (seq, "The sealed fields cannot be decrypted.")

    def test_an_emptied_box(self, game: str) -> None:
        start = EntryRow.objects.exclude(box=b"").filter(game=game).earliest("seq").seq
        overwrite_column(game, start, "box", b"")
        verdict = verify(game)
        assert (verdict.is_good, verdict.seq) == (False, start)

    @pytest.mark.parametrize(
        ("column", "value"),
        [
            ("seat", 7),
            ("at", -(10**15)),
            ("action", '{"type":"table.leave"}'),
            ("action", "no JSON"),
            ("action", "[]"),
            ("action", "1.5"),
            ("paths", "/draws /draws"),
            ("paths", '"'),
            ("seals", b"seal"),
        ],
    )
    @pytest.mark.parametrize("seq", [2, 4, 6])
    def test_any_altered_column(self, game: str, seq: int, column: str, value: Any) -> None:
        overwrite_column(game, seq, column, value)
        verdict = verify(game)
        assert (verdict.is_good, verdict.seq) == (False, seq)

    def test_a_missing_entry(self, game: str) -> None:
        last = Game.objects.get(pk=game).seq
        overwrite_column(game, last, "seq", last + 5)
        verdict = verify(game)
        assert (verdict.seq, verdict.sentence) == (last, "The entry is missing.")

    @pytest.mark.parametrize(
        ("column", "value"),
        [
            ("seq", 7),
            ("hash", "0" * 64),
            ("phase", "gathering"),
            ("awaited", 3),
            ("bots", 0),
            ("version", 1),  # not the newest
            ("rules", "law"),
            ("seats", 5),
        ],
    )
    def test_an_altered_row(self, game: str, column: str, value: Any) -> None:
        remove_triggers()
        Game.objects.filter(pk=game).update(**{column: value})
        assert not verify(game).is_good

    def test_altered_times_in_the_row(self, running_game: str) -> None:
        row = Game.objects.get(pk=running_game)
        remove_triggers()
        Game.objects.filter(pk=running_game).update(at=row.at + timedelta(milliseconds=1))
        assert "row at is" in verify(running_game).sentence
        Game.objects.filter(pk=running_game).update(at=row.at, deadline=row.at)
        assert "row deadline is" in verify(running_game).sentence

    def test_another_player(self, game: str) -> None:
        Player.objects.filter(game=game, seat=0).update(bot="greedy")
        assert "players' rows" in verify(game).sentence

    def test_rules_that_are_not_installed(
        self, game: str, running_game: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        export = game_export(game)
        remove_ruleset(monkeypatch)
        lines = []
        for name in (game, running_game):
            verdict = verify(name)
            assert (verdict.has_rules, verdict.is_over) == (False, name == game)
            missing = f"{SENTENCE} (package {registry.OWN_PACKAGE})."
            lines.append(f"{name}: not installed, {verdict.entries} entries chained: {missing}")
        out = StringIO()
        message = "2 of 2 games are played by rules that are not installed; none is bad"
        with pytest.raises(CommandError, match=message) as refusal:
            call_command("verify", stdout=out)
        assert refusal.value.returncode == UNCHECKED_EXIT_STATUS
        assert sorted(out.getvalue().splitlines()) == sorted(lines)
        with pytest.raises(RulesetNotInstalled):
            export_verifier.load_verified_game(export)

    @pytest.mark.parametrize("what", ["text", "hash", "head", "end"])
    def test_flaws_that_need_no_rules(
        self, game: str, monkeypatch: pytest.MonkeyPatch, what: str
    ) -> None:
        remove_ruleset(monkeypatch)
        rows = EntryRow.objects.filter(game=game)
        if what == "text":
            overwrite_column(game, 4, "action", rows.get(seq=3).action)
        elif what == "hash":
            overwrite_column(game, 4, "hash", bytes(32))
        elif what == "head":
            remove_triggers()
            Game.objects.filter(pk=game).update(seq=F("seq") - 1)
        else:
            remove_triggers()
            rows.filter(seq=rows.count()).delete()
        verdict = verify(game)
        assert verdict.has_rules
        assert not verdict.is_good

    def test_a_game_that_is_not_here(self) -> None:
        with pytest.raises(position_cache.UnknownGame):
            verify("game_0")


def game_export(game: str, viewer: str = "onlooker") -> list[bytes]:
    """The lines of a game's export, as in a file."""
    return [line.encode() + b"\n" for line in stored_game_export.export_lines(game, viewer)]


class TestExporting:
    @pytest.mark.parametrize("viewer", ["everything", "onlooker", "seat:1"])
    def test_both_verifiers_like_it(self, game: str, viewer: str) -> None:
        lines = game_export(game, viewer)
        key = public_key(settings.SIGNING_KEYS[0])
        assert export_verifier.verify_export(lines, key=key).is_good
        assert VERIFIER.verify(lines, key=key)[0].startswith(f"OK: {game}")

    def test_all_may_read_the_same_of_a_game_that_is_over(self, game: str) -> None:
        bodies = {tuple(game_export(game, viewer)[1:]) for viewer in ("everything", "seat:0")}
        assert len(bodies) == 1

    def test_a_running_game_tells_a_seat_its_own(self, running_game: str) -> None:
        for viewer in ("onlooker", "seat:0", "seat:1"):
            lines = game_export(running_game, viewer)
            assert export_verifier.verify_export(lines).is_good
            VERIFIER.verify(lines)
            export = read_export(lines)
            assert not [
                path
                for revealed in export.fields_by_seq.values()
                for path in revealed
                if "draws" in path
            ]
            assert viewer != "onlooker" or not export.fields_by_seq

    def test_who_may_not_have_it(self, running_game: str) -> None:
        for viewer in ("everything", "seat:2", "seat:-1", "seat:x", "nobody"):
            with pytest.raises(GameRefusal):
                game_export(running_game, viewer)

    def test_a_server_signs_only_its_own_games(
        self, game: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(settings, "SIGNING_KEYS", [bytes(32)])
        lines = game_export(game)
        assert not export_verifier.verify_export(lines).is_good
        assert export_verifier.verify_export(lines, is_signed=False).is_good

    def test_each_game_is_signed_with_the_key_that_its_beginning_names(
        self, game: str, running_game: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        old = settings.SIGNING_KEYS[0]
        monkeypatch.setattr(settings, "SIGNING_KEYS", [bytes(32), old])
        new = bot_game()
        for each, key in ((game, old), (running_game, old), (new, bytes(32))):
            lines = game_export(each)
            assert export_verifier.verify_export(lines, key=public_key(key)).is_good
            assert VERIFIER.verify(lines, key=public_key(key))
        appended = next(acting(running_game))
        assert appended.receipt.key == public_key(old)

    def test_it_can_be_kept_elsewhere(self, game: str) -> None:
        carried = export_verifier.load_verified_game(game_export(game))
        rows = list(stored_game_verifier.read_log(Game.objects.get(pk=game)))
        assert list(carried.rows) == rows
        assert carried.head_hash == rows[-1].hash
        assert carried.bots == selectors.game_projection(game).bot_seats
        assert list(read_verified_game(carried.to_lines()).to_lines()) == list(carried.to_lines())

    def test_a_running_game_cannot_be_kept_elsewhere(self, running_game: str) -> None:
        with pytest.raises(Flaw, match="The game is not over"):
            export_verifier.load_verified_game(game_export(running_game))


class TestWithoutSealingKeys:
    @pytest.fixture(autouse=True)
    def lose_sealing_keys(self, game: str, running_game: str, settings: Any) -> None:
        """Replace the keys that sealed these games."""
        settings.SEALING_KEYS = [bytes(32)]
        position_cache.cache.clear()

    def test_a_finished_game_is_verified_and_exported(self, game: str) -> None:
        assert verify(game).is_good
        lines = game_export(game, "everything")
        assert export_verifier.verify_export(lines).is_good
        VERIFIER.verify(lines)

    def test_a_finished_game_is_imported(self, game: str) -> None:
        result = services.import_game(export_verifier.load_verified_game(game_export(game)))
        assert (result.game.pk, result.is_new) == (game, False)

    def test_a_running_game_is_locked_and_not_bad(self, running_game: str) -> None:
        verdict = verify(running_game)
        assert (verdict.is_good, verdict.is_locked) == (False, True)
        sentence = f"{running_game} cannot be decrypted: no sealing key of this server fits."
        assert str(verdict) == sentence
        out = StringIO()
        with pytest.raises(CommandError, match="1 of 2 games cannot be decrypted") as refusal:
            call_command("verify", stdout=out)
        assert refusal.value.returncode == UNCHECKED_EXIT_STATUS
        assert out.getvalue() == f"{sentence}\n"

    def test_a_bad_game_beside_a_locked_one_is_bad(self, game: str, running_game: str) -> None:
        overwrite_column(game, 5, "hash", bytes(32))
        with pytest.raises(CommandError, match="1 of 2 games could not be verified") as refusal:
            call_command("verify", stdout=StringIO())
        assert refusal.value.returncode == 1

    def test_a_running_game_is_not_exported(self, running_game: str) -> None:
        for viewer in ("onlooker", "everything"):
            with pytest.raises(
                CommandError, match=r"^game_\w+ cannot be decrypted: no sealing key"
            ):
                call_command("export", running_game, "--as", viewer)


class TestCommands:
    def test_verify(self, game: str, running_game: str) -> None:
        out = StringIO()
        call_command("verify", stdout=out)
        assert out.getvalue() == "2 games verified; all are good.\n"

    def test_verify_names_the_bad(self, game: str, running_game: str) -> None:
        overwrite_column(game, 5, "hash", bytes(32))
        out = StringIO()
        with pytest.raises(CommandError, match="1 of 2 games"):
            call_command("verify", stdout=out)
        assert out.getvalue().startswith(f"{game}: bad, entry 5: The hash")

    def test_verify_for_programs(self, game: str) -> None:
        out = StringIO()
        call_command("verify", game, "--json", stdout=out)
        verdict = json.loads(out.getvalue())
        assert (verdict["game"], verdict["sentence"], verdict["is_over"]) == (game, "", True)

    def test_verify_knows_no_other_game(self) -> None:
        with pytest.raises(CommandError, match="There is no game"):
            call_command("verify", "game_0")

    def test_verify_of_a_file(self, game: str, tmp_path: Path) -> None:
        file, kept, out = tmp_path / "game.ndjson", tmp_path / "kept.ndjson", StringIO()
        file.write_bytes(b"".join(game_export(game)))
        hash_ = selectors.game_log(game, None, 8, 1)[0].hash
        receipt = sign_receipt(settings.SIGNING_KEYS[0], game, 9, hash_)
        kept.write_text(json.dumps(vars(receipt)) + "\n")
        call_command("verify", export=file, receipts=kept, stdout=out)
        assert out.getvalue().startswith(f"{game}: good")
        kept.write_text(json.dumps(vars(receipt) | {"hash": "0" * 64}) + "\n")
        with pytest.raises(CommandError, match="1 of 1"):
            call_command("verify", export=file, receipts=kept, stdout=out)
        assert "entry 9: A receipt has an invalid signature." in out.getvalue()
        kept.write_text("{}\n")
        with pytest.raises(CommandError, match="line 1: The line is not a receipt"):
            call_command("verify", export=file, receipts=kept)
        with pytest.raises(CommandError, match="No such file"):
            call_command("verify", export=tmp_path / "nothing")

    def test_export(self, game: str, tmp_path: Path) -> None:
        out = StringIO()
        call_command("export", game, stdout=out)
        call_command("export", game, str(tmp_path / "game.ndjson"))
        assert (tmp_path / "game.ndjson").read_bytes() == out.getvalue().encode()
        assert out.getvalue().encode() == b"".join(game_export(game, "everything"))

    @pytest.mark.parametrize("arguments", [["game_0"], ["--as", "seat:9"]])
    def test_export_says_what_it_cannot(self, running_game: str, arguments: list[str]) -> None:
        with pytest.raises(CommandError):
            call_command("export", *([running_game] if len(arguments) > 1 else []), *arguments)


def test_a_fork_names_an_entry_that_is_there(game: str) -> None:
    fork = services.fork_game(game, 8, [SeatAssignment(bot="random")] * 2).projection.game
    assert verify(fork).is_good
    overwrite_column(game, 8, "hash", bytes(32))
    assert verify(fork).sentence.endswith("has no such entry.")


class TestForks:
    @pytest.mark.parametrize("seat", [None, 0])
    def test_they_can_be_checked_like_any_game(self, game: str, seat: int | None) -> None:
        fork = services.fork_game(
            game, 8, [SeatAssignment(bot="random")] * 2, seat=seat
        ).projection.game
        assert verify(fork).is_good
        assert export_verifier.verify_export(game_export(fork)).is_good
        VERIFIER.verify(game_export(fork))
        for _ in acting(fork):
            pass
        lines = game_export(fork)
        assert verify(fork).is_over
        assert export_verifier.verify_export(lines).is_over
        assert VERIFIER.verify(lines)
        assert '"origin":{' in export_verifier.load_verified_game(lines).rows[0].text

    def test_what_a_seat_knew_stays_sealed_until_the_end(self, game: str) -> None:
        fork = services.fork_game(
            game, 8, [SeatAssignment(bot="random")] * 2, seat=0
        ).projection.game
        start = selectors.game_projection(fork).seq
        assert '"position"' not in text_of(fork, start)
        for viewer in ("onlooker", "seat:0", "seat:1"):
            assert str(start) not in read_export(game_export(fork, viewer)).fields_by_seq
