"""Does the code keep the rules of this house: small, explained, named in the house's own words?"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.registry import ENGINES

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("games", "ai", "api", "config", "bench")
LONGEST_FUNCTION = 40  # lines
LONGEST_FILE = 600  # lines
BANNED = {"command", "data", "event", "handler", "helper", "info", "manager", "move", "utils"}
# so Django, kombu and asyncio call what they look for
DEMANDED = {"Command", "register_with_event_loop", "data_received"}
OF_A_GAME = (
    "__init__.py",
    "RULES.md",
    "cards.py",
    "game_logic.py",
    "actions.py",
    "view.py",
    "render.py",
)

SOURCES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
SERVED = [
    path
    for path in SOURCES
    if path.parts[len(ROOT.parts)] != "bench" and path.stem not in ("__main__", "asgi", "wsgi")
]
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def called(path: Path) -> str:
    """A path as people write it."""
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function in a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def words(name: str) -> set[str]:
    """The words of an identifier or a file name, singular and plural."""
    parts = re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower().split("_")
    return {*parts, *(part.removesuffix("s") for part in parts)}


@pytest.mark.parametrize("path", [*SOURCES, *TESTS], ids=called)
class TestEveryFile:
    def test_opens_with_a_sentence(self, path: Path) -> None:
        docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert docstring
        assert re.search(r"[.?!:…`]$", docstring)

    def test_is_short(self, path: Path) -> None:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE

    def test_has_short_functions(self, path: Path) -> None:
        long = {
            function.name: length
            for function in functions(path)
            if (length := (function.end_lineno or 0) - function.lineno + 1) > LONGEST_FUNCTION
        }
        assert not long


@pytest.mark.parametrize("path", SOURCES, ids=called)
def test_names_are_in_the_words_of_the_house(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    defined = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    names = [path.stem, *(node.name for node in ast.walk(tree) if isinstance(node, defined))]
    assert not [name for name in names if words(name) & BANNED and name not in DEMANDED]


@pytest.mark.parametrize("path", SERVED, ids=called)
def test_no_module_keeps_an_exception(path: Path) -> None:
    """Each time it is raised, it would keep the frames of one more request for ever."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
    classes = [kept for kept in vars(module).values() if isinstance(kept, type)]
    kept = [
        name for each in (module, *classes) for name, what in vars(each).items() if is_raised(what)
    ]
    assert not kept


def is_raised(what: object) -> bool:
    """Is it an exception, or a collection of such?"""
    if isinstance(what, dict):
        return is_raised(list(what.values()))
    if isinstance(what, (list, tuple, set, frozenset)):
        return any(isinstance(each, BaseException) for each in what)
    return isinstance(what, BaseException)


def test_every_game_has_one_line_in_the_registry() -> None:
    folders = {path.parent.name for path in (ROOT / "games/engines").glob("*/__init__.py")} - {
        "common"
    }
    assert folders == set(ENGINES)


@pytest.mark.parametrize("slug", ENGINES)
class TestEveryGame:
    def test_has_the_files_that_every_game_has(self, slug: str) -> None:
        folder = ROOT / "games/engines" / slug
        assert not [name for name in OF_A_GAME if not (folder / name).is_file()]

    def test_is_named_by_its_title(self, slug: str) -> None:
        title = ENGINES[slug].about.title
        assert slug == re.sub(r"\W+", "_", title.lower())

    def test_has_a_test_for_each_ruling(self, slug: str) -> None:
        assert rulings(rules_of(slug))
        assert not rulings(rules_of(slug)) - rulings(sources_of_tests(slug))

    def test_names_no_ruling_that_does_not_exist(self, slug: str) -> None:
        folder = ROOT / "games/engines" / slug
        code = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
        assert rulings(code + sources_of_tests(slug)) <= rulings(rules_of(slug))


def rulings(text: str) -> set[str]:
    """The rulings that a text names: R12, also inside `test_R12_sevens`."""
    return set(re.findall(r"(?<![a-zA-Z0-9])R\d+(?!\d)", text))


def rules_of(slug: str) -> str:
    """The rule book of a game."""
    return (ROOT / "games/engines" / slug / "RULES.md").read_text(encoding="utf-8")


def sources_of_tests(slug: str) -> str:
    """All tests of a game."""
    folder = ROOT / "tests/engines" / slug
    return "".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))
