"""Every ruleset has a rule book, in a folder or in one file."""

from __future__ import annotations

import pytest

from tabularium_engines.base import AnyEngine
from tabularium_engines.installed.registry import RULESETS
from tabularium_engines.installed.rule_books import rule_book
from tests.examples.small_games import SMALL_GAMES, game_file, load_file


@pytest.mark.parametrize("engine", RULESETS.values(), ids=lambda engine: engine.about.slug)
def test_a_folder_has_its_rule_book(engine: AnyEngine) -> None:
    assert rule_book(engine).startswith(f"# {engine.about.title}")


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_the_rule_book_of_a_game_in_one_file_is_its_docstring(name: str) -> None:
    engine = load_file(game_file(name))
    title, docstring = rule_book(engine).split("\n\n", 1)
    assert title == f"# {engine.about.title}"
    assert docstring.strip() in game_file(name).read_text(encoding="utf-8")
