"""The prose: words that hide a sentence's subject stay rare in docstrings, comments and pages."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
CEILING: Final = 0.5  # of each kind, in 1,000 words
HIDING: Final = {
    "nobody": r"\b(?:somebody|nobody|anybody|everybody|whoever|whatever)\b",
    "what": r"\bwhat\b",
    "told": r"\b(?:tell|tells|telling|told)\b",
}
CODE: Final = (
    *("ai", "api", "bench", "config", "desk", "games", "jobs", "record", "web"),
    *("tabularium_engines", "tabularium_log"),
)
PACKAGES: Final = (*CODE, "release", "clients/python", "tests")
PAGES: Final = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def prose_of_page(path: Path) -> str:
    """A page without its code."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`]*`", "", text)


def prose_of_source(path: Path) -> str:
    """The docstrings and comments of a source, without the code in them."""
    text = path.read_text()
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, DOCUMENTED)]
    docstrings = [ast.get_docstring(node) or "" for node in nodes]
    return re.sub(r"`[^`]*`", "", "\n".join([*docstrings, *comments(text)]))


def comments(text: str) -> Iterator[str]:
    """The comments of a source."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ")


def rates(prose: str) -> dict[str, float]:
    """How often each kind occurs, in 1,000 words."""
    words = len(re.findall(r"[A-Za-z']+", prose))
    matches_by_kind = {
        kind: re.findall(regex, prose, re.IGNORECASE) for kind, regex in HIDING.items()
    }
    return {kind: 1000 * len(matches) / words for kind, matches in matches_by_kind.items()}


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_and_comments_name_their_subject(package: str) -> None:
    sources = sorted((ROOT / package).rglob("*.py"))
    measured = rates("\n".join(map(prose_of_source, sources)))
    assert not {kind: rate for kind, rate in measured.items() if rate > CEILING}


def test_pages_name_their_subject() -> None:
    pages = [
        *PAGES,
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "tabularium_engines").rglob("RULES.md"),
    ]
    measured = rates("\n".join(map(prose_of_page, pages)))
    assert not {kind: rate for kind, rate in measured.items() if rate > CEILING}


def test_a_hiding_word_is_counted() -> None:
    measured = rates("Nobody knows what it told. " * 10)
    assert measured == {"nobody": 200.0, "what": 200.0, "told": 200.0}
