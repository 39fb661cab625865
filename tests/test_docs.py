"""Do README and docs tell the truth? Every curl in them is run against a server, every make
target they name exists, and every link leads somewhere."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)\)")
TARGET = re.compile(r"\bmake ([a-z]+)")
ADDRESS = "http://127.0.0.1:8000"


def commands(page: Path) -> list[str]:
    """Every line of the page's shell blocks."""
    blocks = BLOCK.findall(page.read_text())
    return [line for block in blocks for line in block.splitlines() if line.strip()]


CURLS = [
    pytest.param(line, id=f"{page.name}-{number}")
    for page in PAGES
    for number, line in enumerate(commands(page))
    if line.startswith("curl ")
]


@pytest.mark.parametrize("line", CURLS)
def test_every_curl_is_answered(line: str, live_server: Any, tmp_path: Path) -> None:
    words = shlex.split(line.replace(ADDRESS, live_server.url), comments=True)
    code = ["-w", "%{stderr}%{http_code} %{content_type}"]
    answer = subprocess.run([*words, *code], cwd=tmp_path, capture_output=True, check=True)
    status, kind = answer.stderr.decode().split(" ", 1)
    body = answer.stdout or (tmp_path / "table.svg").read_bytes()
    assert body
    if "seats=9" in line:
        assert (status, kind) == ("400", "application/problem+json")
    else:
        assert status == "200", body.decode()


def test_there_are_curls_to_run() -> None:
    assert len(CURLS) >= 7


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {name for line in commands(page) for name in TARGET.findall(line)}
    quotes = re.findall(r"`([^`\n]+)`", page.read_text())
    quoted = {name for quote in quotes for name in TARGET.findall(quote)}
    assert named | quoted <= targets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file(page: Path) -> None:
    broken = [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]
    assert broken == []


def test_the_readme_shows_a_table_as_it_is_drawn_today() -> None:
    drawn = {path.read_text() for path in (ROOT / "tests" / "golden").rglob("*.svg")}
    assert (ROOT / "docs" / "table.svg").read_text() in drawn
