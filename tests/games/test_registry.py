"""The digest of a ruleset covers every file that decides a game, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabularium_engines.installed import registry

FILES = {
    "tabularium_engines/base.py": "contract",
    "tabularium_engines/common/bits.py": "kit",
    "tabularium_engines/chess/engine.py": "from tabularium_engines.base import Engine\n"
    "from tabularium_engines.chess.openings import book\n",
    "tabularium_engines/chess/openings/book.py": "from tabularium_engines.common import bits\n",
    "tabularium_engines/chess/openings/words.txt": "a list",
    "tabularium_engines/chess/openings/words.bin": "the same list, packed",
}
OTHER_FILES = {
    "tabularium_engines/chess/RULES.md": "prose",
    "tabularium_engines/chess/v2_engine.py": "from tabularium_engines.chess import engine\n",
    "tabularium_engines/common/random_generators.py": "a part that this game does not use",
    "tabularium_engines/go/engine.py": "another game",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with two games; the digest is that of the first version of `chess`."""
    for name, content in {**FILES, **OTHER_FILES}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path


def digest(root: Path) -> str:
    """The digest of the engine and all that it imports."""
    return registry.sources_digest(["tabularium_engines.chess.engine"], root)


@pytest.mark.parametrize("name", FILES)
def test_whatever_decides_a_game_is_in_its_digest(root: Path, name: str) -> None:
    before = digest(root)
    (root / name).write_text((root / name).read_text() + "changed")
    assert digest(root) != before


@pytest.mark.parametrize("name", OTHER_FILES)
def test_prose_other_games_and_later_versions_are_not(root: Path, name: str) -> None:
    before = digest(root)
    (root / name).write_text((root / name).read_text() + "changed")
    assert digest(root) == before


def test_every_ruleset_has_a_digest_of_its_own() -> None:
    digests = {registry.ruleset_digest(*ruleset) for ruleset in registry.RULESETS}
    assert len(digests) == len(registry.RULESETS)


def test_the_newest_version_of_each_game_is_its_engine() -> None:
    for slug, engine in registry.ENGINES.items():
        assert engine.about.version == registry.installed_versions(slug)[-1]
        assert registry.find_engine(slug, engine.about.version) is engine


def test_a_game_without_rules_has_no_version_in_its_refusal() -> None:
    with pytest.raises(registry.RulesetNotInstalled, match=r"^no rules of chess are installed$"):
        registry.find_engine("chess")
    with pytest.raises(registry.RulesetNotInstalled, match=r"^chess rules version 1 are not"):
        registry.find_engine("chess", 1)
