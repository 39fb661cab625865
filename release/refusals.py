"""The reasons for which no release is built: uncommitted changes, versions that disagree, a
changelog without the version, tables that are not stated, and programs that are missing."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tabularium_engines.builds.compiled_engines import has_compiler

ROOT: Final = Path(__file__).resolve().parent.parent
CHANGELOG: Final = ROOT / "CHANGELOG.md"
# of the service, its packages and the clients
VERSION_FILES: Final = (
    "pyproject.toml",
    "tabularium_engines/pyproject.toml",
    "tabularium_log/pyproject.toml",
    "clients/python/src/tabularium_client/version.py",
    "clients/typescript/package.json",
    "clients/typescript/package-lock.json",
)
_VERSION: Final = re.compile(r'(?im)^\s*"?version(?:"|: Final)?(?: =|:) "(.+?)"')


def refusals(is_interpreted: bool) -> list[str]:
    """All that stands against a release of this checkout, each as a sentence."""
    return [
        *_of_the_tree(),
        *disagreements(),
        *_of_the_tables(version_in(VERSION_FILES[0])),
        *_of_programs(is_interpreted),
    ]


def _of_the_tree() -> Iterator[str]:
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if status.returncode:
        yield f"A release is built from a checkout of git: {status.stderr.strip()}"
    elif changed := [line[3:] for line in status.stdout.splitlines()]:
        yield f"Commit or remove first: {', '.join(changed)}."


def disagreements() -> Iterator[str]:
    """Versions that differ, and a version of which the changelog says nothing."""
    versions = {name: version_in(name) for name in VERSION_FILES}
    if len(set(versions.values())) > 1:
        listed = ", ".join(f"{version} in {name}" for name, version in versions.items())
        yield f"The versions disagree: {listed}."
    if not release_notes(version := version_in(VERSION_FILES[0])):
        yield f"CHANGELOG.md has no section `## {version} - YYYY-MM-DD`, or an empty one."


def _of_the_tables(version: str) -> Iterator[str]:
    """The way back from the next release leads to the tables that are stated of this one."""
    command = (sys.executable, "manage.py", "release_tables", version, "--check")
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if checked.returncode:
        yield checked.stderr.strip().removeprefix("CommandError: ")


def _of_programs(is_interpreted: bool) -> Iterator[str]:
    if shutil.which("npm") is None:
        yield "npm is missing, which packs the TypeScript client: install Node."
    if not is_interpreted and not has_compiler():
        yield "There is no C compiler: install one, or build with ARGS=--interpreted."


def version_in(name: str) -> str:
    """The version that a file states first."""
    match = _VERSION.search((ROOT / name).read_text(encoding="utf-8"))
    return match[1] if match else "none"


def release_notes(version: str) -> str:
    """The section of a version in the changelog, without its heading; empty if there is none."""
    heading = rf"^## {re.escape(version)} - \d{{4}}-\d\d-\d\d\n"
    text = CHANGELOG.read_text(encoding="utf-8")
    section = re.search(rf"{heading}(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return section[1].strip() if section else ""
