"""A stranger's export costs this process nothing, and its child process no more than its limits."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import SpooledTemporaryFile, TemporaryFile
from typing import IO, Any

import pytest

from games.audit import sandbox
from games.audit.size_budget import (
    EXPORT_BUDGET,
    BudgetExceeded,
    ExportBudget,
    count_values,
    lines_within_budget,
)
from tabularium_engines.installed.registry import ENGINES, RulesetNotInstalled
from tabularium_log.audit import export_verifier
from tabularium_log.audit.verdict import Flaw
from tests.games.audit.bombs import bomb
from tests.games.audit.forging import of_another_version
from tests.games.audit.making import GameBuilder, new_plan, play_plan

SMALL = ExportBudget(total_bytes=100, line_bytes=50, total_values=20, line_values=10)


@pytest.fixture
def game() -> GameBuilder:
    """A finished game."""
    return play_plan(new_plan(ENGINES["law_of_the_dice"], 2, 7, ends_at=9))


@pytest.fixture
def export(game: GameBuilder) -> bytes:
    """The export of the game."""
    return b"".join(game.lines())


class TestTheBudget:
    @pytest.mark.parametrize(
        ("export", "sentence"),
        [
            (b"x" * 51, "Line 1 is longer"),
            (b"\n" + b"x" * 60 + b"\n", "Line 2 is longer"),
            (b"x" * 49 + b"\n" + b"x" * 49 + b"\nx", "An export may have at most 0 MB"),
            (b"[[[[[[[[[[\n", "Line 1 has more than 10 values."),
            (b",,,,,,,,,\n,,,,,,,,,\n\n", "An export may have at most 20 values"),
        ],
    )
    def test_ends(self, export: bytes, sentence: str) -> None:
        with pytest.raises(BudgetExceeded, match=sentence):
            list(lines_within_budget(BytesIO(export), SMALL))

    @pytest.mark.parametrize("export", [b"", b"x" * 50, b",,,,,,,,,\n,,,,,,,,,", b"x" * 49 + b"\n"])
    def test_suffices(self, export: bytes) -> None:
        assert b"".join(lines_within_budget(BytesIO(export), SMALL)) == export

    @pytest.mark.parametrize("slug", ENGINES)
    def test_counts_every_value(self, slug: str) -> None:
        for line in play_plan(new_plan(ENGINES[slug], 2, 3, ends_at=30)).lines("everything"):
            assert count_values(line) >= value_count(json.loads(line)) > 0


def value_count(value: Any) -> int:
    """The number of values in a value, including itself."""
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + sum(map(value_count, value)) if isinstance(value, list) else 1


class TestAChild:
    def test_finds_what_would_be_found_here(self, game: GameBuilder, export: bytes) -> None:
        lines = game.lines()
        assert sandbox.verify_export(BytesIO(export)) == export_verifier.verify_export(lines)
        assert sandbox.load_verified_game(BytesIO(export)) == export_verifier.load_verified_game(
            lines
        )

    def test_names_a_flaw(self, export: bytes) -> None:
        bad = export.replace(b'"seq":9}', b'"seq":8}')
        expected = export_verifier.verify_export(bad.splitlines(keepends=True))
        assert sandbox.verify_export(BytesIO(bad)) == expected
        with pytest.raises(Flaw) as caught:
            sandbox.load_verified_game(BytesIO(bad))
        assert (caught.value.sentence, caught.value.line) == (expected.sentence, expected.line)

    def test_names_rules_that_are_not_here(self, game: GameBuilder) -> None:
        unknown_version_export = b"".join(of_another_version(game))
        assert not sandbox.verify_export(BytesIO(unknown_version_export)).has_rules
        with pytest.raises(
            RulesetNotInstalled, match=r"^law_of_the_dice rules version 99 are not installed"
        ):
            sandbox.load_verified_game(BytesIO(unknown_version_export))

    def test_names_what_is_too_large(self) -> None:
        with pytest.raises(BudgetExceeded, match="256 kB"):
            sandbox.verify_export(BytesIO(bytes(EXPORT_BUDGET.line_bytes + 1)))
        with pytest.raises(BudgetExceeded, match="8 MB"):
            sandbox.load_verified_game(BytesIO(bytes(EXPORT_BUDGET.total_bytes + 1)))

    @pytest.mark.lane("slow")
    def test_reads_every_kind_of_file(self, export: bytes, tmp_path: Path) -> None:
        for file in files(export, tmp_path):
            with file:
                assert sandbox.verify_export(file).is_good

    def test_is_told_nothing_of_this_server(
        self, export: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TABULARIUM_SEALING_KEYS", "00" * 32)
        monkeypatch.setenv("DATABASE_URL", "postgres://secret@127.0.0.1/secret")
        code = "import json, os; print(json.dumps(['flaw', [' '.join(os.environ), None, None]]))"
        monkeypatch.setattr(sandbox, "CHILD_COMMAND", (sys.executable, "-c", code))
        with pytest.raises(Flaw) as caught:
            sandbox.load_verified_game(BytesIO(export))
        assert not {"TABULARIUM_SEALING_KEYS", "DATABASE_URL"} & {*caught.value.sentence.split()}


def files(export: bytes, folder: Path) -> Iterator[IO[bytes]]:
    """The export as the file objects that different servers pass, unread or partly read."""
    path = folder / "export"
    path.write_bytes(export)
    yield path.open("rb")
    half_read = path.open("rb")
    half_read.readline()
    yield half_read
    for file in (TemporaryFile(), SpooledTemporaryFile()):  # noqa: SIM115  # closed by the caller
        file.write(export)
        file.seek(0)
        yield file
    with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as cat:
        assert cat.stdout
        yield cat.stdout


class TestAHungryChild:
    @pytest.fixture(autouse=True)
    def hungry_child(self, monkeypatch: pytest.MonkeyPatch, appetite: str) -> None:
        """Make every child process a hungry one."""
        program = (sys.executable, "-P", "-m", "tests.games.audit.hungry", appetite)
        monkeypatch.setattr(sandbox, "CHILD_COMMAND", program)

    @pytest.mark.lane("hostile")
    @pytest.mark.parametrize("appetite", ["memory", "processor"])
    def test_is_ended(self, export: bytes) -> None:
        for check in (sandbox.verify_export, sandbox.load_verified_game):
            with pytest.raises(sandbox.CheckTooCostly):
                check(BytesIO(export))

    @pytest.mark.parametrize("appetite", ["memory-for-free"])
    def test_would_take_it(self, export: bytes) -> None:
        """Without limits it succeeds; the single byte read is not a line of an export."""
        assert sandbox.verify_export(BytesIO(export)).sentence.startswith("The line is truncated")

    @pytest.mark.parametrize("appetite", ["processor"])
    def test_is_not_waited_for(self, export: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sandbox, "CHECK_TIMEOUT_SECONDS", 0.0)
        with pytest.raises(sandbox.CheckerBusy):
            sandbox.verify_export(BytesIO(export))


def test_a_bomb_of_the_largest_size_fits_into_a_child() -> None:
    """`TestAHungryChild` shows that the limits bound its memory."""
    export = bomb()
    assert len(export) > 0.9 * EXPORT_BUDGET.total_bytes
    assert sum(map(count_values, export.splitlines())) > 0.9 * EXPORT_BUDGET.total_values
    verdict = sandbox.verify_export(BytesIO(export))
    assert (verdict.is_good, verdict.is_signed) == (True, False)
