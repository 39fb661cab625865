"""The documentation site: every page is reachable, and no link is broken (`make docs`)."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

pytestmark = pytest.mark.lane("guides")

ROOT: Final = Path(__file__).resolve().parents[2]
BUILT: Final = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "LICENSE")
FOLDERS: Final = ("docs", "examples", "tabularium_engines")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of all that the site is built from, with the site."""
    tree = tmp_path_factory.mktemp("tree")
    for name in (*BUILT, "zensical.toml"):
        shutil.copy(ROOT / name, tree)
    for name in FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(ROOT / name, tree / name, ignore=ignored)
    (tree / "api").mkdir()
    shutil.copy(ROOT / "api" / "openapi.yaml", tree / "api")
    built = build(tree)
    assert built.returncode == 0, built.stdout + built.stderr
    return tree


def build(tree: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of a copy."""
    words = [sys.executable, "docs/site.py"]
    return subprocess.run(words, cwd=tree, capture_output=True, text=True, check=False)


def pages(nav: Any) -> set[str]:
    """The pages that a navigation names."""
    if isinstance(nav, str):
        return {nav}
    return set().union(*(pages(each) for each in (nav.values() if isinstance(nav, dict) else nav)))


def test_it_builds_without_a_broken_link(tree: Path) -> None:
    assert (tree / "build" / "site" / "rules" / "law" / "index.html").is_file()


def test_a_broken_link_fails_the_build(tree: Path, tmp_path: Path) -> None:
    changed_tree = shutil.copytree(tree, tmp_path / "changed")
    with (changed_tree / "docs" / "keys.md").open("a") as page:
        page.write("\n[nowhere](stream.md#no-such-heading)\n")
    assert build(changed_tree).returncode != 0


def test_the_navigation_has_every_page(tree: Path) -> None:
    folder = tree / "build" / "pages"
    built = {path.relative_to(folder).as_posix() for path in folder.rglob("*.md")}
    configured = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"]
    assert pages(configured) == built
