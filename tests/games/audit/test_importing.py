"""A finished game moves from one server to another unchanged, and a bad one is refused."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.audit import stored_game_verifier
from games.models import Game
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit import export_verifier
from tabularium_log.audit.export_reader import read_lines
from tests.games.audit.making import GameBuilder, new_plan, play_plan

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


@pytest.fixture(scope="module", params=ENGINES)
def game(request: pytest.FixtureRequest) -> GameBuilder:
    """A game of another server."""
    return play_plan(new_plan(ENGINES[request.param], 3, 5, has_seeds=True))


@pytest.fixture
def file(game: GameBuilder, tmp_path: Path) -> Path:
    """The export of the game, as a file."""
    path = tmp_path / "game.ndjson"
    path.write_bytes(b"".join(game.lines()))
    return path


def test_it_is_kept_as_it_was(game: GameBuilder, file: Path, tmp_path: Path) -> None:
    out = StringIO()
    call_command("import", str(file), stdout=out)
    assert out.getvalue() == f"{game.plan.game}\n"
    assert stored_game_verifier.verify_game(game.plan.game).is_good
    again = tmp_path / "again.ndjson"
    call_command("export", game.plan.game, str(again), "--as", "onlooker")
    assert again.read_bytes() == file.read_bytes()
    assert export_verifier.verify_export(read_lines(again)).is_good


def test_it_is_kept_once(file: Path) -> None:
    for _ in range(2):
        call_command("import", str(file), stdout=StringIO())
    assert Game.objects.count() == 1


def test_another_game_of_that_name_is_not_kept(game: GameBuilder, file: Path) -> None:
    call_command("import", str(file), stdout=StringIO())
    file.write_bytes(b"".join(play_plan(replace(game.plan, whim=1)).lines()))
    with pytest.raises(CommandError, match="Another game"):
        call_command("import", str(file))


def test_a_bad_one_is_not_kept(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b'"seq":9}', b'"seq":8}'))
    with pytest.raises(CommandError, match="Not imported: line 10, entry 9"):
        call_command("import", str(file))
    assert not Game.objects.exists()


def test_a_running_one_is_not_kept(game: GameBuilder, file: Path) -> None:
    running = play_plan(new_plan(game.plan.engine, 3, 5, has_seeds=True, stops_at=9))
    file.write_bytes(b"".join(running.lines()))
    with pytest.raises(CommandError, match="The game is not over"):
        call_command("import", str(file))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Not imported"):
        call_command("import", str(tmp_path / "nothing"))
