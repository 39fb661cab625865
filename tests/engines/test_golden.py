"""Golden games: each replays to the same states, texts and pictures, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.engines.common.replay_log import from_lines, replay
from games.registry import ENGINES
from tests.golden.book import GOLDEN, folder, pictures, planned

LOGS = sorted(GOLDEN.glob("*/v*/*.jsonl"))


def log_lines(log: Path) -> list[str]:
    """The lines of a golden game."""
    return log.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("slug", ENGINES)
def test_every_game_has_its_golden_games(slug: str) -> None:
    engine = ENGINES[slug]
    planned_names = {f"{golden.name}.jsonl" for golden in planned(engine)}
    stored_names = {log.name for log in folder(engine).glob("*.jsonl")}
    assert stored_names == planned_names, f"make golden GAME={slug}"


@pytest.mark.parametrize("slug", ENGINES)
def test_every_version_has_its_golden_games(slug: str) -> None:
    versions = {int(log.parent.name[1:]) for log in LOGS if log.parent.parent.name == slug}
    assert versions == set(range(1, ENGINES[slug].about.version + 1))


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.parent.name}-{log.stem}")
def test_a_golden_game_replays_to_the_same_pages(log: Path) -> None:
    game = from_lines(log_lines(log))
    engine = ENGINES[game.rules]
    assert f"v{game.version}" == log.parent.name
    states = list(replay(engine, game))
    stored_names = {path.name for path in log.parent.glob(f"{log.stem}.*")} - {log.name}
    current_pages = dict(pictures(engine, log.stem, states))
    assert set(current_pages) == stored_names
    for name, page in current_pages.items():
        assert page == (log.parent / name).read_text(encoding="utf-8"), name
