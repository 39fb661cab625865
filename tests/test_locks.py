"""The lock files satisfy pyproject.toml, and no file reveals a registry or a machine's folders."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = {
    "installer.txt": ["installer"],
    "runtime.txt": [],
    "traces.txt": [],
    "image.txt": [],
    "dev.txt": ["installer", "build", "dev"],
    "build.txt": ["build"],
    "adapters.txt": ["adapters"],
    "oracles.txt": ["oracles"],
    "generators.txt": ["oracles", "generators"],
    "release.txt": ["release"],
    "bench.txt": ["bench"],
}
PIN = re.compile(
    r"^([\w.-]+)==([\w.]+)( ;[^\\]*)? \\\n((?:    --hash=sha256:[0-9a-f]{64}.*\n)+)", re.MULTILINE
)

# Split into pieces, so that this file does not match itself.
TELLTALE = re.compile(
    r"py"
    r"pi\.[a-z]|python"
    r"hosted|/"
    r"simple/|--(extra-)?"
    r"index-url|--find"
    r"-links"
    r"|UV_"
    r"INDEX|PIP_"
    r"INDEX|(?<![\w.])/(work|root|home|Users|opt)"
    r"/\w"
)


def required(lock: str) -> list[Requirement]:
    """The requirements in pyproject.toml that a lock file has to satisfy."""
    groups = PROJECT["dependency-groups"]
    lines = [line for group in LOCKS[lock] for line in groups[group] if isinstance(line, str)]
    extras = PROJECT["project"]["optional-dependencies"]
    if lock in ("runtime.txt", "traces.txt", "image.txt", "dev.txt"):
        lines += PROJECT["project"]["dependencies"]
    if lock in ("traces.txt", "image.txt", "dev.txt"):
        lines += extras["traces"]
    if lock == "image.txt":
        lines += extras["mcp"]
    return [Requirement(line) for line in lines]


@cache
def pinned(lock: str) -> dict[str, str]:
    """The versions pinned in a lock file."""
    text = (ROOT / "requirements" / lock).read_text(encoding="utf-8")
    return {name: version for name, version, _, _ in PIN.findall(text)}


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_satisfies_what_is_required(lock: str) -> None:
    versions = pinned(lock)
    for requirement in required(lock):
        name = canonicalize_name(requirement.name)
        assert name in versions, f"{name} is not in {lock}: make lock"
        assert requirement.specifier.contains(versions[name]), f"{name}: make lock"


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_of_the_lock_is_a_pin_with_hashes_or_a_remark(lock: str) -> None:
    text = (ROOT / "requirements" / lock).read_text(encoding="utf-8")
    other_lines = [line for line in PIN.sub("", text).splitlines() if not line.startswith("    #")]
    assert not other_lines


@pytest.mark.parametrize(
    "lock",
    ["installer.txt", "runtime.txt", "image.txt", "build.txt", "adapters.txt", "bench.txt"],
)
def test_the_locks_agree(lock: str) -> None:
    shared = pinned(lock).keys() & pinned("dev.txt").keys()
    assert {name: pinned(lock)[name] for name in shared} == {
        name: pinned("dev.txt")[name] for name in shared
    }
    assert lock in ("adapters.txt", "bench.txt") or shared == pinned(lock).keys()


IMPORT_SERVER = """
import sys

class Missing:  # the finder of packages that are not there
    def find_spec(self, name, path=None, target=None):
        if name in sys.argv:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)

sys.meta_path.insert(0, Missing())
import django
django.setup()
import config.asgi, config.http_server.server, config.celery_redis_transport
from api import schema
from config.management.commands import serve
from jobs.management.commands import sweep
serve.import_worker_modules()
schema.openapi_document()
"""


@pytest.mark.lane("builds")
def test_a_server_can_be_imported_with_what_its_lock_has() -> None:
    absent = [
        name
        for name, distributions in packages_distributions().items()
        if not {canonicalize_name(each) for each in distributions} & pinned("runtime.txt").keys()
    ]
    assert "pytest" in absent
    process = subprocess.run(
        [sys.executable, "-c", IMPORT_SERVER, *absent],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr


def test_the_compiler_is_the_same_everywhere() -> None:
    (compiler_requirement,) = [
        line for line in PROJECT["build-system"]["requires"] if "mypy" in line
    ]
    assert compiler_requirement == f"mypy=={pinned('dev.txt')['mypy']}"


def test_no_file_reveals_a_registry_or_a_folder_of_some_machine() -> None:
    process = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        pytest.skip("not a checkout")
    matches = []
    for name in filter(None, process.stdout.split("\0")):
        text = (ROOT / name).read_bytes().decode(errors="ignore") if (ROOT / name).is_file() else ""
        matches += [f"{name}: {match[0]}" for match in TELLTALE.finditer(text)]
    assert not matches
