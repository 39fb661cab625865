"""The golden games of the example games lie beside them and replay byte for byte; `make golden`
writes those of games of any length."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest

from tabularium_engines.base import AnyEngine
from tabularium_engines.promises.random_games import play
from tests.examples.small_games import EXAMPLES, SMALL_GAMES, game_file, load_engine
from tests.golden.book import EARLY_SEQ, check_golden_game, folder_beside, moments, planned
from tests.support.python_process import run_python

LOGS: Final = sorted(log for name in SMALL_GAMES for log in (EXAMPLES / name).rglob("*.jsonl"))


def write_golden(*names: str) -> subprocess.CompletedProcess[str]:
    """The command of `make golden`."""
    return run_python("-m", "tests.golden", *names)


def files_of(folder: Path) -> dict[str, bytes]:
    """The contents of all files, by name."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_an_example_has_its_golden_games(name: str) -> None:
    engine = load_engine(name)
    stored = {log.name for log in folder_beside(game_file(name), engine).glob("*.jsonl")}
    assert stored == {f"{golden.name}.jsonl" for golden in planned(engine)}


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parents[2].name}-{log.stem}")
def test_a_golden_game_replays_to_the_same_pages(log: Path) -> None:
    check_golden_game(load_engine(log.parents[2].name), log)


def test_an_altered_page_is_noticed(tmp_path: Path) -> None:
    engine = load_engine("kuhn_poker")
    shutil.copytree(folder_beside(game_file("kuhn_poker"), engine), tmp_path, dirs_exist_ok=True)
    log, page = min(tmp_path.glob("*.jsonl")), min(tmp_path.glob("*.txt"))
    check_golden_game(engine, log)
    page.write_text(page.read_text(encoding="utf-8") + "more\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=page.name):
        check_golden_game(engine, log)


def test_the_golden_games_are_written_beside_a_file(tmp_path: Path) -> None:
    for name in SMALL_GAMES:
        (tmp_path / name).mkdir()
        shutil.copy(game_file(name), tmp_path / name)
    result = write_golden(*(str(tmp_path / name / f"{name}.py") for name in SMALL_GAMES))
    assert result.returncode == 0, result.stderr
    for name in SMALL_GAMES:
        written = tmp_path / name / "golden" / "v1"
        assert files_of(written) == files_of(EXAMPLES / name / "golden" / "v1")


def test_an_unknown_game_is_refused_before_any_is_written(tmp_path: Path) -> None:
    file = tmp_path / "kuhn_poker.py"
    shutil.copy(game_file("kuhn_poker"), file)
    result = write_golden(str(file), "no_game")
    assert result.returncode == 1
    assert result.stderr.startswith("no_game is no game: name one of law_of_the_dice, ")
    assert not (tmp_path / "golden").exists()


def shortest_game(engine: AnyEngine) -> list[Any]:
    """The states of a game with three entries: the deal, and two actions."""
    games = (play(engine, engine.about.options(), 2, seed).positions for seed in range(20))
    return [position.state for position in min(games, key=len)]


def test_the_moments_of_a_short_game_are_its_entries() -> None:
    states = shortest_game(load_engine("kuhn_poker"))
    assert len(states) == 3
    assert moments(states) == [(3, 0), (1, None), (3, 1)]
    assert moments(states[:1]) == [(1, 0), (1, None), (1, 1)]


def test_a_long_game_is_seen_early_in_the_middle_and_late() -> None:
    states = shortest_game(load_engine("kuhn_poker")) * 5
    assert moments(states) == [(EARLY_SEQ, 0), (7, None), (15, 1)]
