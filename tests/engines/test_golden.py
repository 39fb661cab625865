"""Golden games: they replay to the same end and look the same, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.engines.common.replay_log import from_lines, replay
from games.registry import ENGINES
from tests.golden.book import GOLDEN, folder, pictures, planned

LOGS = sorted(GOLDEN.glob("*/v*/*.jsonl"))


def lines_of(log: Path) -> list[str]:
    """The lines of a golden game."""
    return log.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("slug", ENGINES)
def test_every_game_has_its_golden_games(slug: str) -> None:
    engine = ENGINES[slug]
    names = {f"{golden.name}.jsonl" for golden in planned(engine)}
    written = {log.name for log in folder(engine).glob("*.jsonl")}
    assert written == names, f"make golden GAME={slug}"


@pytest.mark.parametrize("slug", ENGINES)
def test_every_version_has_its_golden_games(slug: str) -> None:
    versions = {int(log.parent.name[1:]) for log in LOGS if log.parent.parent.name == slug}
    assert versions == set(range(1, ENGINES[slug].about.version + 1))


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.parent.name}-{log.stem}")
def test_a_golden_game_is_the_same_today(log: Path) -> None:
    game = from_lines(lines_of(log))
    engine = ENGINES[game.rules]
    assert f"v{game.version}" == log.parent.name
    states = list(replay(engine, game))
    beside = {path.name for path in log.parent.glob(f"{log.stem}.*")} - {log.name}
    now = dict(pictures(engine, log.stem, states))
    assert set(now) == beside
    for name, page in now.items():
        assert page == (log.parent / name).read_text(encoding="utf-8"), name
