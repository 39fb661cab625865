"""The rules of style that no linter checks: docstrings, sizes, and the files of a game.

Each rule is one test over all files, each of which is parsed once.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from django.db.models import Model

from games.engines.small_game_kit.engine import SmallEngine
from games.registry import ENGINES

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("games", "jobs", "ai", "api", "config", "library", "bench")
ADAPTERS = ("openspiel_game", "pettingzoo_env")  # their libraries are optional
MAX_FUNCTION_LINES = 40
MAX_FILE_LINES = 600
MANAGERS = ("objects", "_default_manager", "_base_manager")
FILES_OF_A_GAME = (
    "__init__.py",
    "RULES.md",
    "cards.py",
    "game_logic.py",
    "actions.py",
    "engine.py",
)
FILES_OF_A_LARGE_GAME = ("view.py", "plain_text.py")  # the kit makes both from the fields

SOURCES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
IMPORTABLE = [
    path
    for path in SOURCES
    if path.parts[len(ROOT.parts)] != "bench"
    and path.stem not in ("__main__", "asgi", "wsgi", "run_tethered", *ADAPTERS)
]
TESTS = sorted((ROOT / "tests").rglob("*.py"))


@cache
def text_of(path: Path) -> str:
    """The text of a source file."""
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a source file."""
    return ast.parse(text_of(path))


def name_of(path: Path) -> str:
    """A path relative to the project root."""
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path) -> ModuleType:
    """The module of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return importlib.import_module(".".join(parts).removesuffix(".__init__"))


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function in a file."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def test_every_file_opens_with_a_sentence() -> None:
    docstrings = {name_of(path): ast.get_docstring(tree_of(path)) for path in [*SOURCES, *TESTS]}
    wrong_files = [
        name
        for name, docstring in docstrings.items()
        if not re.search(r"[.?!:…`]$", docstring or "")
    ]
    assert not wrong_files


def test_no_module_opens_with_a_question() -> None:
    docstrings = {name_of(path): ast.get_docstring(tree_of(path)) or "" for path in SOURCES}
    assert not [name for name, docstring in docstrings.items() if "?" in docstring.split("\n\n")[0]]


def test_every_file_is_short() -> None:
    lengths = {name_of(path): len(text_of(path).splitlines()) for path in [*SOURCES, *TESTS]}
    assert not {name: lines for name, lines in lengths.items() if lines > MAX_FILE_LINES}


def test_every_function_is_short() -> None:
    long = {
        f"{name_of(path)}:{function.name}": length
        for path in [*SOURCES, *TESTS]
        for function in functions(path)
        if (length := (function.end_lineno or 0) - function.lineno + 1) > MAX_FUNCTION_LINES
    }
    assert not long


def test_no_module_keeps_an_exception() -> None:
    """Each time it is raised, it would keep the frames of one more request forever."""
    exceptions = []
    for path in IMPORTABLE:
        module = module_of(path)
        classes = [value for value in vars(module).values() if isinstance(value, type)]
        exceptions += [
            f"{module.__name__}: {name}"
            for each in (module, *classes)
            for name, value in vars(each).items()
            if is_exception_kept(value)
        ]
    assert not exceptions


def is_exception_kept(value: object) -> bool:
    """Whether it is an exception, or a collection of exceptions."""
    if isinstance(value, dict):
        return is_exception_kept(list(value.values()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return any(isinstance(each, BaseException) for each in value)
    return isinstance(value, BaseException)


def test_the_api_queries_no_table_of_the_games() -> None:
    """It reads through selectors and writes through services."""
    modules = [path for path in IMPORTABLE if name_of(path).startswith("api/")]
    assert not {name_of(path): managers for path in modules if (managers := game_managers(path))}


def test_a_query_of_the_games_tables_is_found() -> None:
    """The selectors have them, under any name."""
    managers = {
        name_of(path): set(game_managers(path)) for path in (ROOT / "games/selectors").glob("*.py")
    }
    assert "EntryRow" in managers["games/selectors/logs.py"]
    assert {"Game", "Player"} <= managers["games/selectors/seats.py"]


def game_managers(path: Path) -> list[str]:
    """The games' models whose managers a source uses, as it names them."""
    module = module_of(path)
    owners = [
        ast.unparse(node.value)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr in MANAGERS
    ]
    return [name for name in owners if is_model_of_games(name, module)]


def is_model_of_games(name: str, module: ModuleType) -> bool:
    """Whether a dotted name is that of a model of the app `games`."""
    value: Any = module
    for part in name.split("."):
        value = getattr(value, part, None)
    is_model = isinstance(value, type) and issubclass(value, Model)
    return is_model and value._meta.app_label == "games"


def test_every_game_has_one_line_in_the_registry() -> None:
    packages = {path.parent.name for path in (ROOT / "games/engines").glob("*/__init__.py")}
    folders = packages - {"common", "small_game_kit"}
    assert folders == set(ENGINES)


@pytest.mark.parametrize("slug", ENGINES)
class TestEveryGame:
    def test_has_the_files_that_every_game_has(self, slug: str) -> None:
        folder = ROOT / "games/engines" / slug
        is_small = isinstance(ENGINES[slug], SmallEngine)
        names = FILES_OF_A_GAME if is_small else FILES_OF_A_GAME + FILES_OF_A_LARGE_GAME
        assert not [name for name in names if not (folder / name).is_file()]

    def test_is_named_by_its_title(self, slug: str) -> None:
        title = ENGINES[slug].about.title
        assert slug == re.sub(r"\W+", "_", title.lower())

    def test_has_a_test_for_each_ruling(self, slug: str) -> None:
        assert rulings(rules_of(slug))
        assert not rulings(rules_of(slug)) - rulings(sources_of_tests(slug))

    def test_names_no_ruling_that_does_not_exist(self, slug: str) -> None:
        folder = ROOT / "games/engines" / slug
        code = "".join(map(text_of, folder.glob("*.py")))
        assert rulings(code + sources_of_tests(slug)) <= rulings(rules_of(slug))


def rulings(text: str) -> set[str]:
    """The rulings that a text names: R12, also inside `test_R12_sevens`."""
    return set(re.findall(r"(?<![a-zA-Z0-9])R\d+(?!\d)", text))


def rules_of(slug: str) -> str:
    """The rule book of a game."""
    return text_of(ROOT / "games/engines" / slug / "RULES.md")


def sources_of_tests(slug: str) -> str:
    """The source text of all tests of a game."""
    folder = ROOT / "tests/engines" / slug
    return "".join(map(text_of, sorted(folder.rglob("*.py"))))
