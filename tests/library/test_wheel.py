"""The wheel of the library: built, installed into an empty folder and used by a program that sees
nothing of this project."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, Final

import pytest

from games.compiled_engines import PROJECT_ROOT
from games.registry import RULESETS
from library.catalogue import ENGINES
from library.replay import replay
from release.refusals import version_in
from tests.games.audit.making import LONG, new_plan, play_plan
from tests.library import library_life, library_replay
from tests.support.python_process import run_python

pytestmark = pytest.mark.lane("builds")

TEMPLATE: Final = PROJECT_ROOT / "library" / "wheel" / "pyproject.toml.template"
DEPENDENCIES: Final = {"librt", "mypy-extensions"}
METADATA: Final = f"tabularium_engines-{version_in('pyproject.toml')}.dist-info"
OF_REPLAY: Final = {"cffi", "cryptography", "orjson"}  # with the one that cryptography needs


def build_wheel(folder: Path, *options: str) -> Path:
    """The wheel, built into a folder."""
    command = [sys.executable, "-m", "library.wheel", *options, str(folder)]
    subprocess.run(command, cwd=PROJECT_ROOT, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def dependencies_alone(folder: Path, names: Iterable[str] = DEPENDENCIES) -> Path:
    """A folder with copies of these packages, and nothing else."""
    folder.mkdir()
    for name in names:
        for file in distribution(name).files or ():
            if file.suffix in (".py", ".so", ".pyd"):
                copy = folder / file
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file.locate(), copy)
    return folder


def live(wheel: Path, scratch: Path) -> dict[str, Any]:
    """The report of a program that uses the installed wheel."""
    zipfile.ZipFile(wheel).extractall(scratch / "installed")
    dependencies = dependencies_alone(scratch / "dependencies")
    # isolated, and without site-packages: nothing but the standard library and two folders
    life = ("-I", "-S", library_life.__file__)
    process = run_python(*life, scratch / "installed", dependencies, cwd=scratch)
    assert process.returncode == 0, process.stderr
    report: dict[str, Any] = json.loads(process.stdout)
    return report


def assert_lives(report: dict[str, Any], scratch: Path) -> None:
    """Assert that the report is one of whole games and searches, from the installed files."""
    assert report["file"].startswith(str(scratch))
    assert report["foreign"] == []
    assert report["games"].keys() == {slug for slug, _ in ENGINES}
    for game in report["games"].values():
        assert game["decisions"] > 0
        assert max(game["returns"]) > 0
        assert game["simulations"] == library_life.SIMULATIONS
        assert game["is_legal"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel without compiled code."""
    return build_wheel(tmp_path_factory.mktemp("wheel"), "--interpreted")


def test_it_installs_one_package(wheel: Path) -> None:
    names = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert names == {"tabularium_engines", METADATA}


def test_it_is_typed(wheel: Path) -> None:
    assert "tabularium_engines/py.typed" in zipfile.ZipFile(wheel).namelist()


def test_it_needs_two_packages(wheel: Path) -> None:
    metadata = zipfile.ZipFile(wheel).read(f"{METADATA}/METADATA").decode()
    lines = [line for line in metadata.splitlines() if line.startswith("Requires-Dist: ")]
    required = [line for line in lines if "extra ==" not in line]
    assert required == ["Requires-Dist: librt~=0.16.0", "Requires-Dist: mypy-extensions~=1.1"]


def test_a_program_plays_and_searches_with_nothing_else(wheel: Path, tmp_path: Path) -> None:
    report = live(wheel, tmp_path)
    assert report["unit_suffix"] == ".py"
    assert_lives(report, tmp_path)


def test_a_program_without_django_replays_exports(wheel: Path, tmp_path: Path) -> None:
    """It sees and finds the same as the service does, in every version of the rules."""
    exports = []
    for place, engine in enumerate(RULESETS.values()):
        exports.append(tmp_path / f"{place}.ndjson")
        plan = new_plan(engine, 3, place, has_seeds=True, ends_at=LONG)
        exports[-1].write_bytes(b"".join(play_plan(plan).lines()))
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    packages = dependencies_alone(tmp_path / "packages", DEPENDENCIES | OF_REPLAY)
    program = ("-I", "-S", library_replay.__file__, tmp_path / "installed", packages)
    process = run_python(*program, *exports, cwd=tmp_path)
    assert process.returncode == 0, process.stderr
    report = json.loads(process.stdout)
    assert report["foreign"] == []
    games = [library_replay.digest_of_game(replay(export)) for export in exports]
    assert report["games"] == games


def test_its_metadata_are_those_of_the_project() -> None:
    ours = tomllib.loads(TEMPLATE.read_text(encoding="utf-8"))
    project = tomllib.loads((PROJECT_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert ours["build-system"] == project["build-system"]
    for name in ("version", "requires-python", "license"):
        assert ours["project"][name] == project["project"][name]
    required = set(project["project"]["dependencies"])
    assert set(ours["project"]["dependencies"]) < required
    assert set(ours["project"]["optional-dependencies"]["replay"]) < required


@pytest.mark.soak
def test_the_compiled_wheel_plays_the_same_games(wheel: Path, tmp_path: Path) -> None:
    compiled = build_wheel(tmp_path / "wheel")
    for name in ("compiled", "interpreted"):
        (tmp_path / name).mkdir()
    report = live(compiled, tmp_path / "compiled")
    assert report["unit_suffix"] in (".so", ".pyd")
    assert_lives(report, tmp_path / "compiled")
    assert report["games"] == live(wheel, tmp_path / "interpreted")["games"]
