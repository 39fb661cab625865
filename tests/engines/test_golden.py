"""Golden games: each replays to the same states, texts and pictures, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabularium_engines.common.replayable_log import from_lines
from tabularium_engines.installed.registry import RULESETS, Ruleset, find_engine
from tests.golden.book import GOLDEN, check_golden_game, folder, planned

LOGS = sorted(GOLDEN.glob("*/v*/*.jsonl"))


def log_lines(log: Path) -> list[str]:
    """The lines of a golden game."""
    return log.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_every_version_has_its_golden_games(ruleset: Ruleset) -> None:
    engine = RULESETS[ruleset]
    planned_names = {f"{golden.name}.jsonl" for golden in planned(engine)}
    stored_names = {log.name for log in folder(engine).glob("*.jsonl")}
    assert stored_names == planned_names, f"make golden GAME={ruleset.slug}"


def test_no_version_is_gone() -> None:
    stored = {Ruleset(log.parent.parent.name, int(log.parent.name[1:])) for log in LOGS}
    assert stored == set(RULESETS)


@pytest.mark.parametrize(
    "log", LOGS, ids=lambda log: f"{log.parent.parent.name}-{log.parent.name}-{log.stem}"
)
def test_a_golden_game_replays_to_the_same_pages(log: Path) -> None:
    game = from_lines(log_lines(log))
    engine = find_engine(game.rules, game.version)
    assert folder(engine) == log.parent
    check_golden_game(engine, log)
