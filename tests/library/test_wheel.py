"""The wheels of the engines and of the log: built, installed into an empty folder and used by
programs that see nothing else of this project."""

from __future__ import annotations

import json
import shutil
import tomllib
import zipfile
from collections.abc import Iterable, Mapping
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, Final

import pytest

from release.refusals import version_in
from release.wheels import PACKAGES
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tabularium_engines.installed.registry import ENGINES, RULESETS
from tabularium_log.replay import replay
from tests.examples import small_games
from tests.games.audit.making import LONG, new_plan, play_plan
from tests.library import library_life, library_replay
from tests.support.python_process import run_python

pytestmark = pytest.mark.lane("builds")

DEPENDENCIES: Final = {"librt", "mypy-extensions"}
VERSION: Final = version_in("pyproject.toml")
OF_THE_LOG: Final = {"cffi", "cryptography", "orjson"}  # with the one that cryptography needs


def build_wheels(folder: Path, *options: str) -> dict[str, Path]:
    """The wheels, built into a folder; by their packages."""
    run_python("-m", "release.wheels", *options, folder).check_returncode()
    return {path.name.partition("-")[0]: path for path in folder.glob("*.whl")}


def unpack(wheels: Iterable[Path], folder: Path) -> None:
    """Install wheels into a folder."""
    for wheel in wheels:
        zipfile.ZipFile(wheel).extractall(folder)


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


def live(wheels: Mapping[str, Path], scratch: Path) -> dict[str, Any]:
    """The report of a program that uses the installed wheel of the engines."""
    unpack([wheels["tabularium_engines"]], scratch / "installed")
    dependencies = dependencies_alone(scratch / "dependencies")
    # isolated, and without site-packages: nothing but the standard library and two folders
    life = ("-I", "-S", library_life.__file__)
    process = run_python(*life, scratch / "installed", dependencies, cwd=scratch)
    assert process.returncode == 0, process.stderr
    report: dict[str, Any] = json.loads(process.stdout)
    return report


def assert_lives(report: dict[str, Any], scratch: Path, *others: str) -> None:
    """Assert that the report is one of whole games and searches, from the installed files."""
    assert report["file"].startswith(str(scratch))
    assert report["foreign"] == []
    assert report["games"].keys() == {*ENGINES, *others}
    for game in report["games"].values():
        assert game["decisions"] > 0
        assert max(game["returns"]) > 0
        assert game["simulations"] == library_life.SIMULATIONS
        assert game["is_legal"]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheels without compiled code."""
    return build_wheels(tmp_path_factory.mktemp("wheels"), "--interpreted")


@pytest.mark.parametrize("package", PACKAGES)
def test_a_wheel_has_the_files_of_the_project(package: str, wheels: dict[str, Path]) -> None:
    archive = zipfile.ZipFile(wheels[package])
    packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    kept = {path.relative_to(PROJECT_ROOT) for path in (PROJECT_ROOT / package).rglob("*")}
    modules = {path.as_posix() for path in kept if path.suffix == ".py"}
    assert {*modules, f"{package}/py.typed"} <= packed
    assert {name.partition("/")[0] for name in packed} == {package}
    differing = [
        name for name in packed if archive.read(name) != (PROJECT_ROOT / name).read_bytes()
    ]
    assert differing == []


def test_the_engines_need_two_packages(wheels: dict[str, Path]) -> None:
    folder = f"tabularium_engines-{VERSION}.dist-info"
    metadata = zipfile.ZipFile(wheels["tabularium_engines"]).read(f"{folder}/METADATA").decode()
    lines = [line for line in metadata.splitlines() if line.startswith("Requires-Dist: ")]
    required = [line for line in lines if "extra ==" not in line]
    assert required == ["Requires-Dist: librt~=0.16.0", "Requires-Dist: mypy-extensions~=1.1"]


def test_a_program_plays_and_searches_with_nothing_else(
    wheels: dict[str, Path], tmp_path: Path
) -> None:
    report = live(wheels, tmp_path)
    assert report["unit_suffix"] == ".py"
    assert_lives(report, tmp_path)


def test_so_it_does_with_a_game_of_another_package(wheels: dict[str, Path], tmp_path: Path) -> None:
    small_games.install_packages(["kuhn_poker"], tmp_path / "installed", tmp_path)
    assert_lives(live(wheels, tmp_path), tmp_path, "kuhn_poker")


def test_a_program_without_django_replays_exports(wheels: dict[str, Path], tmp_path: Path) -> None:
    """It sees and finds the same as the service does, in every version of the rules."""
    exports = []
    for place, engine in enumerate(RULESETS.values()):
        exports.append(tmp_path / f"{place}.ndjson")
        plan = new_plan(engine, 3, place, has_seeds=True, ends_at=LONG)
        exports[-1].write_bytes(b"".join(play_plan(plan).lines()))
    unpack(wheels.values(), tmp_path / "installed")
    packages = dependencies_alone(tmp_path / "packages", DEPENDENCIES | OF_THE_LOG)
    program = ("-I", "-S", library_replay.__file__, tmp_path / "installed", packages)
    process = run_python(*program, *exports, cwd=tmp_path)
    assert process.returncode == 0, process.stderr
    report = json.loads(process.stdout)
    assert report["foreign"] == []
    games = [library_replay.digest_of_game(replay(export)) for export in exports]
    assert report["games"] == games


@pytest.mark.parametrize("package", PACKAGES)
def test_its_metadata_are_those_of_the_project(package: str) -> None:
    ours, project = (
        tomllib.loads((PROJECT_ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))
        for folder in (package, ".")
    )
    assert set(ours["build-system"]["requires"]) <= set(project["build-system"]["requires"])
    for name in ("version", "requires-python", "license"):
        assert ours["project"][name] == project["project"][name]
    of_the_engines = {f"tabularium-engines=={VERSION}"}
    required = {*ours["project"]["dependencies"]} - of_the_engines
    assert required < set(project["project"]["dependencies"])


@pytest.mark.soak
def test_the_compiled_wheel_plays_the_same_games(wheels: dict[str, Path], tmp_path: Path) -> None:
    compiled = build_wheels(tmp_path / "wheels")
    for name in ("compiled", "interpreted"):
        (tmp_path / name).mkdir()
    report = live(compiled, tmp_path / "compiled")
    assert report["unit_suffix"] in (".so", ".pyd")
    assert_lives(report, tmp_path / "compiled")
    assert report["games"] == live(wheels, tmp_path / "interpreted")["games"]
