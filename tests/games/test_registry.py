"""The digest of a ruleset covers every file that decides a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import registry

FILES = {
    "base.py": "contract",
    "common/bits.py": "kit",
    "chess/engine.py": "rules",
    "chess/openings/book.py": "a folder of the game",
    "chess/openings/words.txt": "a list",
    "chess/openings/words.bin": "the same list, packed",
}


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of engines with two games; the digest is that of `chess`."""
    for name, content in {**FILES, "chess/RULES.md": "prose", "go/engine.py": "another"}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    monkeypatch.setattr(registry, "ENGINES_FOLDER", tmp_path)
    return tmp_path


def digest() -> str:
    """The current digest."""
    registry.ruleset_digest.cache_clear()
    current = registry.ruleset_digest("chess")
    registry.ruleset_digest.cache_clear()
    return current


@pytest.mark.parametrize("name", FILES)
def test_whatever_decides_a_game_is_in_its_digest(engines: Path, name: str) -> None:
    before = digest()
    (engines / name).write_text("changed")
    assert digest() != before


@pytest.mark.parametrize("name", ["chess/RULES.md", "go/engine.py"])
def test_prose_and_other_games_are_not(engines: Path, name: str) -> None:
    before = digest()
    (engines / name).write_text("changed")
    assert digest() == before
