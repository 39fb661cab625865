"""README and docs are accurate: every curl in them is on a page whose code blocks all run, every
make target they name exists, and every link leads to a file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import CLOCKED, RECORDED
from tests.docs.pages import PAGES as ALIKE

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES_RUN = [*ALIKE, RECORDED, CLOCKED]
LINK = re.compile(r"\]\(([^)#:]+)\)")
TARGET = re.compile(r"\bmake ([a-z]+)")


def commands(page: Path) -> list[str]:
    """Every line of the page's shell blocks."""
    blocks = BLOCK.findall(page.read_text())
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def curls(page: Path) -> list[str]:
    """Every line of the page that sends a request."""
    return [line for line in commands(page) if "curl " in line]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_curl_stands_where_it_is_run(page: Path) -> None:
    assert page in PAGES_RUN or not curls(page)


def test_there_are_curls_to_run() -> None:
    assert sum(len(curls(page)) for page in PAGES_RUN) >= 7


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    targets_in_commands = {name for line in commands(page) for name in TARGET.findall(line)}
    quotes = re.findall(r"`([^`\n]+)`", page.read_text())
    targets_in_quotes = {name for quote in quotes for name in TARGET.findall(quote)}
    assert targets_in_commands | targets_in_quotes <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file(page: Path) -> None:
    broken = [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]
    assert broken == []
