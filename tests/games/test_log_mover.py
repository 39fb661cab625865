"""Logs of the version before stay readable in the old table, and are moved game by game."""

from __future__ import annotations

from io import StringIO
from itertools import count
from signal import SIGKILL
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from config.keys.keyrings import SigningKeyring
from games import log_mover, old_log, position_cache, selectors, services
from games.audit.stored_game_export import export_lines
from games.audit.stored_game_verifier import verify_game
from games.group_commit import writer
from games.log_mover import OldLogLeft, move_game
from games.log_reader import entry_hashes, read_actions
from games.models import Account, Entry, Game, OldEntry
from games.services import append_action
from jobs.log_moves import GAMES_PER_ROUND, LogMoves
from tabularium_engines.common import json_codec
from tabularium_engines.common.replayable_log import BrokenLog
from tabularium_log.fairness.encryption import game_cipher
from tabularium_log.projection.entry import decrypt_entry, entry_content
from tests.games.old_logs import (
    WRITTEN_BEFORE,
    forge_old,
    put_into_old_table,
    store_logs_written_before,
)
from tests.games.racers import table_for_racers
from tests.games.sitting import stored_entries, turn_of
from tests.games.tampering import REFUSED, assert_rejected, take_guards_away
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

READ_ONLY: Final = f"{REFUSED}: the old table is only read"


def readings(game: str) -> list[Any]:
    """All that can be read of a game."""
    position_cache.cache.clear()
    row = Game.objects.get(pk=game)
    is_over = row.phase == "over"
    secret = position_cache.current_position(game).secret
    entries = stored_entries(game)
    complete = [decrypt_entry(game_cipher(secret, game), entry) for entry in entries]
    return [
        [(entry.seq, entry.text, entry.hash) for entry in entries],
        [entry_content(entry) for entry in complete],
        [json_codec.to_json(selectors.game_view(game, viewer)) for viewer in (None, 0, 1)],
        [selectors.game_log(game, viewer, 3, 9) for viewer in (None, 0, 1)],
        [line.text for line in selectors.game_log_entries(game, None, 0, row.seq, over=False)],
        list(export_lines(game, "everything" if is_over else "onlooker")),
        selectors.game_proof(game),
        selectors.game_facts([game]),
        list(read_actions(game, '"type":"table.join"')),
        list(read_actions(game, newest_first=True)),
        entry_hashes(game, [1, row.seq]),
        str(verify_game(game)),
        position_cache.position_at(game, 5).hash,
    ]


@pytest.fixture
def old_games(db: None) -> list[str]:
    """Two games that the version before has written: one runs, the other is over."""
    return store_logs_written_before()


class TestTheLogsOfTheVersionBefore:
    def test_are_the_same_before_and_after(self, old_games: list[str]) -> None:
        before = [readings(game) for game in old_games]
        assert [move_game(game) for game in old_games] == [True, True]
        take_guards_away()
        assert {Entry.objects.filter(game=game).count() for game in old_games} == {
            len(log["rows"]) for log in WRITTEN_BEFORE
        }
        assert [readings(game) for game in old_games] == before
        assert [verify_game(game).is_good for game in old_games] == [True, True]

    def test_are_those_that_were_written(self, old_games: list[str]) -> None:
        for game, log in zip(old_games, WRITTEN_BEFORE, strict=True):
            move_game(game)
            rows = [[entry.seq, entry.text, entry.hash] for entry in stored_entries(game)]
            assert rows == [row[:3] for row in log["rows"]]

    def test_have_sealed_fields_and_draws(self, old_games: list[str]) -> None:
        for game in old_games:
            move_game(game)
        paths = set(Entry.objects.values_list("paths", flat=True))
        assert paths == {"", "/draws", "/action /draws", "/action/suit /draws"}

    def test_are_moved_once(self, old_games: list[str]) -> None:
        assert [move_game(old_games[0]), move_game(old_games[0])] == [True, False]
        assert log_mover.unmoved_games() == old_games[1:]
        assert not move_game("game_unknown")


class TestAGameInTheOldTable:
    @pytest.fixture
    def game(self, db: None) -> str:
        """A game among people."""
        game = table_for_racers()
        put_into_old_table(game)
        assert not Entry.objects.exists()
        return game

    def act(self, game: str) -> None:
        seat = selectors.game_projection(game).awaited_seats.bit_length() - 1
        table, action = turn_of(game, seat)
        appended = append_action(game, seat, action, choice=table.choice_token(seat))
        assert appended.first_seq == table.seq + 1
        position_cache.cache.clear()
        assert verify_game(game).is_good

    def test_is_moved_by_the_first_append(self, game: str) -> None:
        for seq in (5, 6):
            self.act(game)
            assert Entry.objects.count() == seq
            assert OldEntry.objects.count() == 4

    def test_within_a_transaction(self, game: str) -> None:
        with transaction.atomic():
            self.act(game)
        assert Entry.objects.filter(game=game).count() == 5

    def test_when_its_account_is_deleted(self, game: str) -> None:
        services.delete_account(Account.objects.get().pk)
        assert selectors.game_projection(game).phase == "over"
        assert verify_game(game).is_good

    def test_counts_for_the_keys(self, game: str, settings: Any) -> None:
        other = table_for_racers()
        keyring = SigningKeyring(settings.SIGNING_KEYS)
        assert keyring.count_uses_by_key()["running game"].total() == 2
        move_game(game)
        assert keyring.count_uses_by_key()["running game"].total() == 2
        assert {row.pk for row in Game.objects.all()} == {game, other}

    def test_reveals_its_secret_at_the_end(self, db: None, settings: Any) -> None:
        game = table_for_racers()
        services.resign_seat(game, 0)
        put_into_old_table(game)
        settings.SEALING_KEYS = [bytes(32)]
        assert verify_game(game).is_over
        assert move_game(game)
        assert verify_game(game).is_over


@pytest.mark.parametrize("is_grouped", [False, True])
def test_a_group_moves_it_too(kept_here: Kept, is_grouped: bool) -> None:
    game, other = table_for_racers(), table_for_racers()
    put_into_old_table(game)
    if is_grouped:
        writer.enable()
    try:
        for each in (game, other, game):
            TestAGameInTheOldTable().act(each)
    finally:
        writer.disable()
    assert not log_mover.unmoved_games()


def test_entries_that_are_moved_between_two_queries_are_read(
    kept_here: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, *_ = store_logs_written_before()
    before, read = stored_entries(game), old_log.read_entries

    def move_and_read(*place: Any) -> Any:
        monkeypatch.undo()
        call_command("move_logs", stdout=StringIO())
        return read(*place)

    monkeypatch.setattr(old_log, "read_entries", move_and_read)
    after = stored_entries(game)
    assert [entry.text for entry in after] == [entry.text for entry in before]
    assert not OldEntry.objects.exists()


def test_a_position_that_is_moved_between_two_queries_is_read(
    kept_here: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, *_ = store_logs_written_before()
    read_boxes = old_log.read_boxes

    def move_and_read(*place: Any) -> Any:
        monkeypatch.undo()
        call_command("move_logs", stdout=StringIO())
        return read_boxes(*place)

    monkeypatch.setattr(old_log, "read_boxes", move_and_read)
    position_cache.cache.clear()
    assert selectors.game_projection(game).seq == Game.objects.get(pk=game).seq


class TestTheOldTable:
    FORGED: Final = "'forged', 'forged', ''"
    INSERT: Final = (
        "INSERT INTO games_oldentry (game_id, seq, text, hash, box)"
        f" SELECT game_id, 1 + max(seq), {FORGED} FROM games_oldentry GROUP BY game_id"
    )

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE games_oldentry SET text = text",
            "DELETE FROM games_oldentry",
            INSERT,
            *(["TRUNCATE games_oldentry"] if connection.vendor == "postgresql" else []),
        ],
    )
    def test_refuses_every_change(self, old_games: list[str], statement: str) -> None:
        with assert_rejected(READ_ONLY), connection.cursor() as cursor:
            cursor.execute(statement)

    def test_a_process_of_the_version_before_fails(self, old_games: list[str]) -> None:
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO games_entry (game_id, seq, text, hash, box)"
                f" VALUES ('{old_games[0]}', 31, {self.FORGED})"
            )

    def test_is_not_emptied_before_all_is_moved(self, old_games: list[str]) -> None:
        move_game(old_games[0])
        with pytest.raises(OldLogLeft, match=old_games[1]):
            log_mover.empty_old_table()
        assert OldEntry.objects.count() == sum(len(log["rows"]) for log in WRITTEN_BEFORE)


class TestDamage:
    @pytest.mark.parametrize(
        ("values", "reason"),
        [
            ({"text": "{}"}, "cannot be moved"),
            ({"hash": "0" * 64}, "its content makes another text"),
            ({"box": b"nothing of the kind"}, "cannot be moved"),
        ],
    )
    def test_is_named_and_stays(
        self, old_games: list[str], values: dict[str, Any], reason: str
    ) -> None:
        game = old_games[1]
        forge_old(game, 7, **values)
        with pytest.raises(BrokenLog, match=reason) as caught:
            move_game(game)
        assert caught.value.seq == 7
        assert not Entry.objects.exists()
        verdict = verify_game(game)
        assert (verdict.is_good, verdict.seq) == (False, 7)

    def test_a_missing_entry(self, old_games: list[str]) -> None:
        forge_old(old_games[0], 7, seq=99)
        with pytest.raises(BrokenLog, match="Entry 7 is missing"):
            move_game(old_games[0])

    def test_a_missing_end(self, old_games: list[str]) -> None:
        last = Game.objects.get(pk=old_games[1]).seq
        forge_old(old_games[1], last, seq=last + 1)
        with pytest.raises(BrokenLog, match=f"Entry {last} is missing"):
            move_game(old_games[1])

    def test_an_append_to_it_is_refused(self, db: None) -> None:
        game = table_for_racers()
        put_into_old_table(game)
        forge_old(game, 2, text="{}")
        with pytest.raises(BrokenLog, match="Entry 2 cannot be moved"):
            TestAGameInTheOldTable().act(game)
        assert Game.objects.get(pk=game).seq == 4


class TestTheCommand:
    def test_moves_all_and_empties_the_old_table(self, kept_here: Kept) -> None:
        games = store_logs_written_before()
        before = [readings(game) for game in games]
        out = StringIO()
        call_command("move_logs", stdout=out)
        assert out.getvalue() == f"2 games moved, up to {games[1]}\nThe old table is empty.\n"
        assert not OldEntry.objects.exists()
        assert [readings(game) for game in games] == before
        for _ in range(2):
            out = StringIO()
            call_command("move_logs", stdout=out)
            assert out.getvalue() == "The old table is empty: there is nothing to move.\n"
        with assert_rejected(READ_ONLY):
            OldEntry.objects.create(game_id=games[0], seq=1, text="", hash="", box=b"")

    @pytest.mark.lane("processes")
    def test_goes_on_after_sigkill_anywhere(self, kept_here: Kept) -> None:
        games = store_logs_written_before()
        before = [readings(game) for game in games]
        for point in count(1):
            connection.close()
            process = kept_here.process("tests.games.killed_move", str(point))
            process.communicate()
            assert [readings(game) for game in games] == before
            for game, log in zip(games, WRITTEN_BEFORE, strict=True):
                assert Entry.objects.filter(game=game).count() in (0, len(log["rows"]))
            if process.returncode == 0:
                break
            assert process.returncode == -SIGKILL
        assert point > 10
        assert not OldEntry.objects.exists()
        with assert_rejected(READ_ONLY):
            OldEntry.objects.create(game_id=games[0], seq=1, text="", hash="", box=b"")

    def test_keeps_the_old_table(self, old_games: list[str]) -> None:
        call_command("move_logs", "--keep", stdout=StringIO())
        assert not log_mover.unmoved_games()
        assert OldEntry.objects.exists()

    def test_names_what_it_cannot_move(self, old_games: list[str]) -> None:
        forge_old(old_games[0], 7, text="{}")
        err = StringIO()
        with pytest.raises(CommandError, match="1 games stay in the old table"):
            call_command("move_logs", stdout=StringIO(), stderr=err)
        assert f"{old_games[0]} cannot be moved: Entry 7" in err.getvalue()
        assert log_mover.unmoved_games() == old_games[:1]


def test_the_way_back_keeps_every_entry(kept_here: Kept) -> None:
    games = [*store_logs_written_before(), table_for_racers()]
    move_game(games[0])
    for _ in range(3):
        TestAGameInTheOldTable().act(games[2])
    before = [readings(game) for game in games]
    connection.close()  # its views of the tables would stand in the way
    call_command("migrate", "games", "0013", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT text FROM games_entry ORDER BY game_id, seq")
        texts = [text for (text,) in cursor.fetchall()]
    assert texts == [text for reading in before for _, text, _ in reading[0]]
    call_command("migrate", "games", verbosity=0)
    assert log_mover.unmoved_games() == games
    assert [readings(game) for game in games] == before
    call_command("move_logs", stdout=StringIO())
    assert [readings(game) for game in games] == before


class TestTheSweeper:
    def test_moves_some_in_each_round(self, db: None) -> None:
        games = [table_for_racers() for _ in range(GAMES_PER_ROUND + 1)]
        put_into_old_table(*games)
        moves = LogMoves()
        for left in (1, 0, 0):
            moves.move_some()
            assert len(log_mover.unmoved_games()) == left
        assert moves.is_done

    def test_examines_a_bounded_number_in_each_round(
        self, db: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Also where all games are moved, and the old table is kept."""
        games = [table_for_racers() for _ in range(5)]
        put_into_old_table(*games)
        assert all(not problem for _, problem in log_mover.move_games(games))
        monkeypatch.setattr(log_mover, "BATCH", 2)
        moves, rounds = LogMoves(), 0
        while not moves.is_done:
            moves.move_some()
            rounds += 1
        assert rounds == 4

    def test_names_what_it_cannot_move_once(
        self, old_games: list[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        forge_old(old_games[0], 7, text="{}")
        moves = LogMoves()
        for _ in range(3):
            moves.move_some()
        assert log_mover.unmoved_games() == old_games[:1]
        assert caplog.text.count(f"{old_games[0]} cannot be moved") == 1

    def test_does_nothing_where_nothing_is_old(
        self, db: None, django_assert_num_queries: Any
    ) -> None:
        table_for_racers()
        moves = LogMoves()
        with django_assert_num_queries(1):
            for _ in range(3):
                moves.move_some()
