"""`python docs/site.py`: build the documentation site into build/site.

The pages are those that the tests run: README, docs/*.md, each RULES.md, CONTRIBUTING, SECURITY and
CHANGELOG. They are copied to build/pages with their links rewritten, and Zensical builds them in
strict mode: a broken link or anchor fails the build.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = ROOT / "build" / "pages"
LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
EXTERNAL: Final = re.compile(r"[a-z]+:|#")


def site_paths() -> dict[str, str]:
    """Every file of the site: its path in the repository, and in the site."""
    paths = {
        "README.md": "index.md",
        "CONTRIBUTING.md": "contributing.md",
        "CHANGELOG.md": "changelog.md",
        "SECURITY.md": "security.md",
        "LICENSE": "license.txt",
        "api/openapi.yaml": "openapi.yaml",
        "examples/bot.py": "bot.py",
        "docs/monitor.py": "monitor.py",
        "docs/verify.py": "verify.py",
    }
    for kind in ("*.md", "*.svg", "*.png", "*.json"):
        paths |= {f"docs/{path.name}": path.name for path in sorted((ROOT / "docs").glob(kind))}
    for path in sorted((ROOT / "tabularium_engines").glob("*/RULES.md")):
        paths[path.relative_to(ROOT).as_posix()] = f"rules/{path.parent.name}.md"
    return paths


def rewrite_links(text: str, source: str, paths: dict[str, str]) -> str:
    """A page's text with links that lead to the site's files; other files are only named."""

    def rewrite(link: re.Match[str]) -> str:
        mark, label, target = link.groups()
        if EXTERNAL.match(target):
            return link[0]
        path, _, anchor = target.partition("#")
        found = os.path.normpath(Path(source).parent / path)
        if found not in paths:
            return label
        relative = os.path.relpath(paths[found], Path(paths[source]).parent)
        return f"{mark}[{label}]({relative}{'#' if anchor else ''}{anchor})"

    return LINK.sub(rewrite, text)


def collect_pages() -> None:
    """Copy all files of the site."""
    shutil.rmtree(PAGES, ignore_errors=True)
    paths = site_paths()
    for source, target in paths.items():
        place = PAGES / target
        place.parent.mkdir(parents=True, exist_ok=True)
        if source.endswith(".md"):
            text = (ROOT / source).read_text(encoding="utf-8")
            place.write_text(rewrite_links(text, source, paths), encoding="utf-8")
        else:
            shutil.copy(ROOT / source, place)


def main() -> int:
    """Collect and build; the exit code."""
    collect_pages()
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
