"""The files that the pages load: all exist, a page needs little, and the words that people read
stand in the files of strings."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

import pytest

from api.content_encoding import MIN_LENGTH, brotli_document
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from web import assets

TEMPLATES: Final = PROJECT_ROOT / "web" / "templates" / "web"
BASE: Final = (TEMPLATES / "page.html").read_text(encoding="utf-8")
PAGES: Final = {
    path.name: (BASE if "{% extends" in text else "") + text
    for path in sorted(TEMPLATES.glob("*.[hj]*"))
    if (text := path.read_text(encoding="utf-8"))
}
SCRIPTS: Final = sorted(assets.FOLDER.rglob("*.js"))
SPEECHLESS: Final = [path for path in SCRIPTS if path.parent.name != "strings"]
MOST: Final = 40_000  # bytes of the files of a page, each in Brotli as the server sends it
MOST_IN_ALL: Final = 60_000  # and of all files of all pages
IMPORT: Final = re.compile(r'\b(?:from|import)\s*"(\.[^"]+)"')
# not in types, `import("…").Name`
LATER: Final = re.compile(r'\bimport\(\s*"(\.[^"]+)"\s*\)(?!\.)')
LOADED: Final = re.compile(r"\{\{ assets \}\}/([\w./-]+)")
STYLES: Final = re.compile(r"\[[^\[\]]*\](?=\.map\(\(name\)=>h\(\"link\")")  # of the table's shadow
COMMENT: Final = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
SENTENCE: Final = re.compile(r"[\"'`]([A-Z][a-z]+ [a-z]+[^\"'`]*)[\"'`]")


def follow(name: str, patterns: tuple[re.Pattern[str], ...], found: set[str]) -> None:
    """Add a file, and all that it imports in these ways as it is served."""
    if name in found:
        return
    found.add(name)
    if name.endswith(".js"):
        text = assets.served(name).decode()
        for other in {other for pattern in patterns for other in pattern.findall(text)}:
            follow(normpath(join(dirname(name), other)), patterns, found)
    for style in STYLES.findall(assets.served(name).decode()):
        found.update(f"{each}.css" for each in re.findall(r'"(\w+)"', style))


def files_of(page: str, *patterns: re.Pattern[str]) -> set[str]:
    """The files that a page loads."""
    found: set[str] = set()
    for name in LOADED.findall(PAGES[page]):
        follow(name, patterns, found)
    return found


def size(name: str) -> int:
    """The bytes of a file as it is sent to a browser, which accepts Brotli."""
    content = assets.served(name)
    return len(brotli_document(content)) if len(content) >= MIN_LENGTH else len(content)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_needs_little_at_first(page: str) -> None:
    files = files_of(page, IMPORT)
    assert files
    assert sum(map(size, files)) <= MOST


def test_all_pages_need_little() -> None:
    """Each file once, among them those that are loaded later."""
    files = {name for page in PAGES for name in files_of(page, IMPORT, LATER)}
    assert sum(map(size, files)) <= MOST_IN_ALL


def test_every_script_belongs_to_a_page() -> None:
    loaded = {name for page in PAGES for name in files_of(page, IMPORT, LATER)}
    bundles = assets.scripts().bundle_of
    names = {path.relative_to(assets.FOLDER).as_posix() for path in SCRIPTS}
    assert not {name for name in names if bundles.get(name, name) not in loaded}
    assert loaded >= {path.name for path in assets.FOLDER.glob("*.css")}


@pytest.mark.parametrize("name", ["nothing.js", "../urls.py", "strings", "page.css/", ""])
def test_there_is_no_other_file(name: str) -> None:
    with pytest.raises(LookupError):
        assets.served(name)


@pytest.mark.parametrize("script", SPEECHLESS, ids=lambda path: str(path.name))
def test_sentences_stand_in_the_files_of_strings(script: Path) -> None:
    """Messages of errors that only a programmer can cause may stand where they are thrown."""
    code = COMMENT.sub("", script.read_text(encoding="utf-8"))
    lines = [line for line in code.splitlines() if not re.search(r"\bError\(|\bsuper\(", line)]
    assert not SENTENCE.findall("\n".join(lines))
