"""`manage.py verify --ledger`: games that are new or have changed are verified, and no others; a
ledger that is not signed, or that the record does not state, is not trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command

from games.audit import quick_verifier, stored_rows
from games.audit.stored_game_verifier import StoredGame
from games.audit.stored_rows import GAME_COLUMNS, GameRows
from games.log_store import HEAD_COLUMNS
from games.models import Game, Player
from record import beginning, ledger_folder, ledger_run, range_verifier
from record.ledger import Cell, Header, Ledger, Range, parse_ledger
from record.ledger_folder import UNFINISHED, open_ledger
from record.models import Leaf
from tabularium_engines.installed import registry
from tabularium_engines.installed.registry import ENGINES, RULESETS, Ruleset
from tabularium_log.record.errors import MalformedError
from tests.games.audit.making import people_game
from tests.games.audit.stored_mutating import altered, secret_game
from tests.games.missing_ruleset import remove_ruleset
from tests.games.sitting import acting, bot_game
from tests.record import recording
from tests.record.recording import OTHER_KEY, called_off, check_whole, integrated, leaf_of
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

DICE: Final = "law_of_the_dice"
ALTERATIONS: Final = 60  # of a log of each ruleset
ALL_GOOD: Final = "; all are good."


@pytest.fixture
def record(db: None, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A signed record with ranges of three leaves; the folder of its ledgers."""
    monkeypatch.setattr(ledger_run, "LEAVES", 3)
    beginning.begin(recording.ORIGIN)
    range_verifier.sources_of.cache_clear()
    yield folder / "ledgers"
    range_verifier.sources_of.cache_clear()


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that are verified, which a test may clear."""
    games, verify = list[str](), quick_verifier.verify_games

    def noted(part: list[str]) -> Iterator[Any]:
        games.extend(part)
        return verify(part)

    monkeypatch.setattr(quick_verifier, "verify_games", noted)
    return games


def played(slug: str = DICE) -> str:
    """A game that is played to its end."""
    game = bot_game(slug, ENGINES[slug].about.seats[0])
    list(acting(game))
    return game


def run(folder: Path, *options: str) -> tuple[str, str, str]:
    """The output of a verification, its errors, and the sentence of its failure."""
    out, errors = StringIO(), StringIO()
    try:
        call_command("verify", "--ledger", str(folder), *options, stdout=out, stderr=errors)
    except CommandError as problem:
        return out.getvalue(), errors.getvalue(), str(problem)
    return out.getvalue(), errors.getvalue(), ""


def newest(folder: Path) -> Ledger:
    """The newest ledger, which is to be trusted."""
    return open_ledger(max(folder.glob("*.ledger")))


def alter(game: str, **columns: Any) -> None:
    """Alter the row of a game in columns that the database does not guard."""
    Game.objects.filter(pk=game).update(**columns)


class TestLedger:
    def test_what_is_known_is_not_verified_again(self, record: Path, verified: list[str]) -> None:
        games = [called_off() for _ in range(4)]
        running = bot_game()
        integrated()
        out, _, problem = run(record)
        assert (out.splitlines()[-1], problem) == (f"5 games verified{ALL_GOOD}", "")
        assert sorted(verified) == sorted([*games, running])
        later = called_off()
        integrated()
        verified.clear()
        out, _, _ = run(record)
        changed = [*games[3:], later]  # the last range has grown
        assert verified == [*changed, running]
        assert out.splitlines() == [
            f"3 games are good by earlier verifications. {record / '000002.ledger'} is written.",
            f"3 games verified{ALL_GOOD}",
        ]
        verified.clear()
        run(record)
        assert verified == [running]
        assert [cell.since for range_ in newest(record).ranges for cell in range_.cells] == [1, 2]
        check_whole()

    def test_the_record_states_it(self, record: Path) -> None:
        called_off()
        integrated()
        run(record)
        [path] = record.glob("*.ledger")
        stated = json.loads(Leaf.objects.latest("number").text)
        assert (stated["leaf"], stated["bytes"]) == ("ledger/1", path.stat().st_size)
        assert not (record / UNFINISHED).read_text()

    def test_only_games_under_changed_rules_are_replayed(
        self, record: Path, verified: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        games = {slug: played(slug) for slug in ENGINES}
        integrated()
        run(record)
        verified.clear()
        digest = registry.ruleset_digest

        def new_release(slug: str, version: int) -> str:
            return "new" if slug == DICE else digest(slug, version)

        monkeypatch.setattr(registry, "ruleset_digest", new_release)
        range_verifier.sources_of.cache_clear()
        out, _, _ = run(record)
        assert verified == [games[DICE]]
        assert out.startswith(f"{len(games) - 1} games are good by earlier verifications.")

    def test_another_verifier_trusts_no_verdict(
        self, record: Path, verified: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = called_off()
        integrated()
        run(record)
        verified.clear()
        monkeypatch.setattr(ledger_run, "verifier_digest", lambda: "other")
        _, errors, _ = run(record)
        assert verified == [game]
        assert "All games are verified anew" in errors

    def test_the_code_that_verifies_has_a_digest(self, monkeypatch: pytest.MonkeyPatch) -> None:
        read: list[Path] = []
        read_bytes = Path.read_bytes

        def noted(path: Path) -> bytes:
            read.append(path)
            return read_bytes(path)

        monkeypatch.setattr(Path, "read_bytes", noted)
        range_verifier.verifier_digest.cache_clear()
        range_verifier.verifier_digest()
        names = {f"{path.parent.name}/{path.name}" for path in read}
        assert names >= {
            *("audit/log_pass.py", "audit/replay_verifier.py", "audit/stored_game_verifier.py"),
            *("fairness/committed_draws.py", "projection/fold.py", "projection/log_replay.py"),
        }


class TestFlaws:
    def test_a_row_that_changed_is_found(self, record: Path) -> None:
        games = [called_off() for _ in range(6)]
        integrated()
        assert not run(record)[2]
        alter(games[1], bots=3)
        for _ in range(2):  # a ledger never knows a bad game as good
            out, _, problem = run(record)
            assert problem == "1 of 3 games could not be verified."
            assert f"{games[1]}: bad" in out
            assert newest(record).ranges[0].cells[0].bad == (games[1],)
        alter(games[1], bots=0)
        assert not run(record)[2]

    def test_games_without_rules_stay_unchecked(
        self, record: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = called_off()
        integrated()
        remove_ruleset(monkeypatch)
        for _ in range(2):
            assert run(record)[2] == (
                "1 of 1 games are played by rules that are not installed; none is bad."
            )
            assert newest(record).ranges[0].cells[0].unchecked == (game,)

    @pytest.mark.parametrize("column", GAME_COLUMNS)
    def test_each_column_of_a_game_counts(self, db: None, column: str) -> None:
        game = Game.objects.get(pk=called_off())
        rows = GameRows(StoredGame(game, {}, has_entries_after_head=False), [], 0)
        before = rows.digest
        assert before == rows.digest
        value = getattr(game, column)
        setattr(game, column, b"other" if column == "secret" else f"{value}?")
        assert rows.digest != before
        assert {*HEAD_COLUMNS, "rules", "version", "seats", "rated"} < set(GAME_COLUMNS)

    def test_players_count(self, db: None) -> None:
        game = bot_game()
        before = stored_rows.digest_rows([game])
        Player.objects.filter(game=game, seat=1).update(bot="greedy")
        assert stored_rows.digest_rows([game]) != before

    @pytest.mark.parametrize("ruleset", RULESETS, ids=str)
    def test_each_change_of_a_log_counts(self, ruleset: Ruleset) -> None:
        known = secret_game(people_game(RULESETS[ruleset], 3))
        stored = StoredGame(
            Game(id=known.game, secret=known.secret), {}, has_entries_after_head=False
        )
        chance, found = Random(str(ruleset)), 0
        for log in (known.rows(), known.old_rows()):
            before = GameRows(stored, log, 0).digest
            for _ in range(ALTERATIONS):
                other = altered(known, log, chance)
                found += other != log
                assert (GameRows(stored, other, 0).digest != before) >= (other != log)
        assert found > ALTERATIONS


class TestTrust:
    def test_a_changed_ledger_is_not_trusted(self, record: Path, verified: list[str]) -> None:
        games = [called_off() for _ in range(2)]
        integrated()
        run(record)
        path = record / "000001.ledger"
        path.write_bytes(path.read_bytes().replace(b'"since":1', b'"since":0'))
        verified.clear()
        _, errors, _ = run(record)
        assert errors.startswith(f"{path} is not trusted: The signature by {recording.ORIGIN}")
        assert verified == games
        assert newest(record).header.number == 2

    def test_one_of_another_key_is_not_trusted(
        self, record: Path, verified: list[str], folder: Path, settings: Any
    ) -> None:
        game = called_off()
        integrated()
        run(record)
        recording.use_keys(folder, settings, OTHER_KEY)
        verified.clear()
        assert "None of the known keys" in run(record)[1]
        assert verified == [game]

    def test_one_that_the_record_does_not_state_is_not_trusted(
        self, record: Path, verified: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Such as after a cut between the file and the leaf."""
        game = called_off()
        integrated()
        with monkeypatch.context() as patch:
            patch.setattr(ledger_folder, "append_to_tree", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                run(record)
        verified.clear()
        _, errors, _ = run(record, "--resume")
        assert "000001.ledger is not trusted: The record has no leaf of it." in errors
        assert verified == [game]  # the unfinished one was for the number that the file has
        assert newest(record).header.number == 2
        check_whole()

    def test_an_older_one_is_trusted_in_its_place(self, record: Path, verified: list[str]) -> None:
        called_off()
        integrated()
        run(record)
        run(record)
        (record / "000002.ledger").write_bytes(b"")
        verified.clear()
        out, errors, _ = run(record)
        assert "000002.ledger is not trusted" in errors
        assert out.startswith("1 games are good by earlier verifications.")
        assert not verified

    def test_a_machine_that_does_not_sign_begins_none(
        self, db: None, folder: Path, verified: list[str]
    ) -> None:
        called_off()
        integrated()
        assert run(folder / "ledgers")[2].startswith("A ledger is signed where the record is")
        beginning.begin(recording.ORIGIN)
        (folder / "record_guard").write_text("{}")
        assert "cannot be read" in run(folder / "ledgers")[2]
        assert not verified


class TestResume:
    @pytest.fixture
    def games(self, record: Path) -> list[str]:
        """Nine games of the record, in three ranges."""
        games = [called_off() for _ in range(9)]
        integrated()
        return sorted(games, key=lambda game: leaf_of(game).number)

    def cut(self, record: Path, monkeypatch: pytest.MonkeyPatch, ranges: int, *more: str) -> None:
        """Run until so many ranges are verified."""
        left, verify = [None] * ranges, range_verifier.verify_range

        def cut(task: Any) -> Any:
            left.pop()
            return verify(task)

        with monkeypatch.context() as patch, suppress(IndexError):
            patch.setattr(range_verifier, "verify_range", cut)
            run(record, *more)
        assert not left

    def test_it_goes_on(
        self,
        record: Path,
        games: list[str],
        verified: list[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        self.cut(record, monkeypatch, 1)
        with (record / UNFINISHED).open("a") as file:
            file.write('{"cells":[{"bad')  # a line that was cut
        self.cut(record, monkeypatch, 1, "--resume")
        verified.clear()
        out, _, _ = run(record, "--resume")
        assert verified == games[6:]
        assert out.startswith("6 games are good by earlier verifications.")
        ledger = newest(record)
        assert [(range_.first, range_.last) for range_ in ledger.ranges] == [(0, 2), (3, 5), (6, 8)]
        verified.clear()
        run(record)
        assert not verified

    def test_it_begins_anew_unless_it_may(
        self,
        record: Path,
        games: list[str],
        verified: list[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        self.cut(record, monkeypatch, 2)
        verified.clear()
        run(record)
        assert verified == games

    def test_a_range_that_has_grown_is_verified_again(
        self,
        record: Path,
        games: list[str],
        verified: list[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        early = called_off()  # alone in its range when the run is cut
        integrated()
        with monkeypatch.context() as patch:
            patch.setattr(ledger_folder, "append_to_tree", lambda *_: 1 / 0)
            patch.setattr(ledger_folder, "write_durably", lambda *_: None)
            with pytest.raises(ZeroDivisionError):
                run(record)
        late = called_off()
        integrated()
        verified.clear()
        run(record, "--resume")
        assert verified == [early, late]
        assert [range_.first for range_ in newest(record).ranges] == [0, 3, 6, 9]

    @pytest.mark.parametrize("content", ["", "{}\n", "x", '{"format":"ledger/1"}\n'])
    def test_it_begins_anew_after_another(
        self, record: Path, games: list[str], verified: list[str], content: str
    ) -> None:
        record.mkdir()
        (record / UNFINISHED).write_text(content)
        run(record, "--resume")
        assert verified == games

    def test_it_begins_anew_with_another_verifier(
        self,
        record: Path,
        games: list[str],
        verified: list[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        self.cut(record, monkeypatch, 2)
        monkeypatch.setattr(ledger_run, "verifier_digest", lambda: "other")
        verified.clear()
        run(record, "--resume")
        assert verified == games

    def test_a_bad_game_is_named_again(
        self, record: Path, games: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        alter(games[4], bots=3)
        self.cut(record, monkeypatch, 2)
        assert f"{games[4]}: bad" in run(record, "--resume")[0]

    def test_one_at_a_time(self, record: Path, games: list[str]) -> None:
        with ledger_folder.unfinished_ledger(record, "verifier"):
            assert run(record)[2] == f"Another verification writes a ledger in {record}."


@pytest.mark.lane("processes")
def test_several_processes_find_the_same(kept_here: Kept, folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:  # undone before the database is dropped
        for name, value in kept_here.environment.items():
            patch.setenv(name, value)
        patch.setattr(ledger_run, "LEAVES", 2)
        beginning.begin(recording.ORIGIN)
        games = [called_off() for _ in range(5)]
        integrated()
        alter(games[2], bots=3)
        alone = run(folder / "alone")
        together = run(folder / "together", "--jobs", "2")
    assert alone[2] == together[2] == "1 of 5 games could not be verified."
    ranges = [newest(folder / name).ranges[:2] for name in ("alone", "together")]
    assert ranges[0] == ranges[1]


def test_since_a_leaf(db: None, verified: list[str]) -> None:
    games = [called_off() for _ in range(3)]
    integrated()
    running = bot_game()
    later = sorted(games, key=lambda game: leaf_of(game).number)[1:]
    call_command("verify", "--since", "1", stdout=StringIO())
    assert sorted(verified) == sorted([*later, running])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--since", "1", "--sample", "5"], "Choose one of --sample and --since."),
        (["--ledger", "x", "game_1"], "Choose one of --ledger and games."),
        (["--export", "x", "--ledger", "y"], "Choose one of --export and --ledger."),
        (["--resume"], "--resume goes on with a ledger: give --ledger, too."),
        (["--since", "-1"], "Error: argument --since: must be a whole number"),
    ],
)
def test_options_that_do_not_fit(options: list[str], sentence: str) -> None:
    with pytest.raises(CommandError) as problem:
        call_command("verify", *options)
    assert str(problem.value) == sentence


class TestFormat:
    CELL: Final = Cell("law", 2, 3, 100, "aa", "bb", 1, ("game_1",), ("game_2",))
    LEDGER: Final = Ledger(
        Header(1, "2026-11-28T09:00:00.000Z", "cc"), (Range(0, 2, (CELL,)), Range(3, 3, ()))
    )

    def test_it_is_read_as_it_was_written(self) -> None:
        assert parse_ledger(self.LEDGER.text) == self.LEDGER

    def test_lines_that_are_refused(self) -> None:
        header, *ranges = self.LEDGER.text.splitlines()
        for texts in (
            [],
            ranges,
            [header, *reversed(ranges)],
            [header.replace("ledger/1", "ledger/2")],
            [header.replace('"number":1', '"number":true')],
            [header, ranges[0].replace('"first":0', '"first":-1')],
            [header, ranges[0].replace('"last":2', '"last":2,"more":1')],
            [header, ranges[0].replace('"bad":["game_1"]', '"bad":"game_1"')],
            [header, ranges[0].replace('"bad":["game_1"]', '"bad":[1]')],
            [header, ranges[0].replace('"games":3', '"games":"3"')],
            [header, ranges[0].replace('"cells":[{', '"cells":[7,{')],
            [header, "[]"],
            [header, "{"],
        ):
            with pytest.raises(MalformedError):
                parse_ledger("".join(f"{line}\n" for line in texts))

    def test_a_cell_is_known_by_its_rows_and_rules(self) -> None:
        assert self.CELL.has_same_games(replace(self.CELL, since=7, bad=()))
        others: dict[str, Any] = {"rows": "x", "sources": "x", "version": 1, "games": 1}
        for name, value in others.items():
            assert not self.CELL.has_same_games(replace(self.CELL, **{name: value}))
        assert not self.CELL.is_good
        assert not replace(self.CELL, bad=()).is_good
        assert replace(self.CELL, bad=(), unchecked=()).is_good
