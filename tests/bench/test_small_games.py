"""Every contestant of the benchmark of games in one file has a round, which plays its games."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from bench import connect_four, play_many, race, small_game_contestant, small_games
from tests.examples.small_games import game_file, load_engine


def test_every_contestant_plays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(small_game_contestant, "PACKAGE_FOLDER", tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setitem(sys.modules, "tabularium_engines.search.play_many", play_many)
    monkeypatch.setitem(sys.modules, "tabularium_engines.connect_four", connect_four)
    for name in small_game_contestant.SMALL_GAMES:
        shutil.copy(game_file(name), tmp_path)
        load_engine(name)
    rounds = small_game_contestant.rounds()
    contestants = race.contestant_names(small_games.contests())
    assert {who.partition(".")[2] for who in contestants} == set(rounds)
    for play in rounds.values():
        assert play() == small_game_contestant.GAMES_PER_ROUND
