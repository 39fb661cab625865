"""A release, built from a checkout of its own: its files are whole and can be built again, its
packages serve from an empty environment, and a client in another one plays there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pytest

from bench.ports import free_port
from release.refusals import version_in
from tests.config.processes import soon
from tests.config.test_docker import build_environment
from tests.support.databases import ROOT, is_on_server
from tests.support.missing_requirements import require_compiler, skip_or_fail
from tests.support.served import Served

pytestmark = [
    pytest.mark.lane("builds"),
    pytest.mark.skipif(is_on_server(), reason="a package is the same for every store"),
]
VERSION: Final = version_in("pyproject.toml")
GIT: Final = ("git", "-c", "user.name=Test", "-c", "user.email=test@example.org")
BUILD: Final = (sys.executable, "-m", "release")
BUILD_WHEEL: Final = "from setuptools.build_meta import build_wheel; build_wheel('build/direct')"
INTERPRETED: Final = "--interpreted"
PYTHONS: Final = ("3.11", "3.12", "3.13")  # those that pyproject.toml names
GAME: Final = """
import sys
from tabularium_client import ME, Client, bot, verify

with Client(sys.argv[1]) as client:
    seats = [ME, bot("random")]
    game = client.create_game(rules="duality", seats=seats, options={"file": 3})["id"]
    end = client.play(game, lambda turn: turn.offers[-1])
    print(end["phase"], verify(client.export(game)))
"""


def run(*command: str | Path, folder: Path, **variables: str) -> str:
    """The output of a command that succeeds, started without the variables of this checkout."""
    environment = build_environment() | variables
    return subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This checkout without the tests, committed in a repository of its own, and its tables stated
    as those of the version."""
    folder = tmp_path_factory.mktemp("checkout")
    words = ("ls-files", "-co", "--exclude-standard", "--", ".", ":!tests")
    for name in run("git", *words, folder=ROOT).splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    run(sys.executable, "manage.py", "release_tables", VERSION, folder=folder)
    for step in ("init --quiet", "add .", "commit --quiet --message=One."):
        run(*GIT, *step.split(), folder=folder)
    return folder


@pytest.fixture(scope="module", params=[INTERPRETED, pytest.param("", marks=pytest.mark.soak)])
def released(checkout: Path, request: pytest.FixtureRequest) -> Path:
    """The folder with all files of a release."""
    if shutil.which("npm") is None:
        skip_or_fail("npm is missing, which packs the TypeScript client")
    if not request.param:
        require_compiler()
    run(*BUILD, *filter(None, [request.param]), folder=checkout)
    return checkout / "build" / "release"


def the_file(released: Path, pattern: str) -> Path:
    """The only file of a release with such a name."""
    (path,) = released.glob(pattern)
    return path


# -- its files ------------------------------------------------------------------------------------


def test_it_has_every_file_with_its_checksum(released: Path) -> None:
    names = {path.name for path in released.iterdir()} - {"SHA256SUMS"}
    kinds = {re.sub(r"-(py3|cp3)[^/]*\.whl", ".whl", name) for name in names}
    packages = ("tabularium_games", "tabularium_client")
    assert kinds == {
        "RELEASE_NOTES.md",
        f"tabularium-{VERSION}.cdx.json",
        f"tabularium-client-{VERSION}.tgz",
        *(f"tabularium_{package}-{VERSION}.whl" for package in ("engines", "log")),
        *(f"{package}-{VERSION}{end}" for package in packages for end in (".tar.gz", ".whl")),
    }
    sums = (released / "SHA256SUMS").read_text().split()
    assert dict(zip(sums[1::2], sums[::2], strict=True)) == {
        name: sha256((released / name).read_bytes()).hexdigest() for name in names
    }


def test_it_lists_the_packages_of_a_server(released: Path) -> None:
    sbom = json.loads(the_file(released, "*.cdx.json").read_text())
    assert sbom["bomFormat"] == "CycloneDX"
    assert sbom["metadata"]["component"]["version"] == VERSION
    lock = (ROOT / "requirements/runtime.txt").read_text()
    pins = dict(re.findall(r"^([\w.-]+)==([\w.]+)", lock, re.MULTILINE))
    assert {part["name"]: part["version"] for part in sbom["components"]} == pins


def test_its_typescript_client_is_compiled_and_typed(released: Path, tmp_path: Path) -> None:
    with tarfile.open(the_file(released, "*.tgz")) as archive:
        archive.extractall(tmp_path, filter="data")
    package = tmp_path / "package"
    assert {"LICENSE", "README.md", "dist", "package.json"} == {
        path.name for path in package.iterdir()
    }
    sources = (ROOT / "clients/typescript/src").rglob("*.ts")
    assert len([*package.rglob("*.d.ts")]) == len([*sources])
    script = "import('./dist/index.js').then((all) => console.log(typeof all.Tabularium))"
    assert run("node", "--eval", script, folder=package) == "function\n"


def test_its_sources_and_the_checkout_make_the_same_wheel(released: Path, checkout: Path) -> None:
    """The released one is made from the packed sources."""
    environment = (
        {} if "py3-none" not in the_file(released, "*games*.whl").name else {"CC": "false"}
    )
    run(sys.executable, "-c", BUILD_WHEEL, folder=checkout, **environment)
    direct = zipfile.ZipFile(the_file(checkout / "build" / "direct", "*.whl"))
    wheel = zipfile.ZipFile(the_file(released, "*games*.whl"))
    assert sorted(wheel.namelist()) == sorted(direct.namelist())
    for name in wheel.namelist():
        if not name.endswith((".so", "/RECORD")):
            assert wheel.read(name) == direct.read(name), name


# -- its refusals ---------------------------------------------------------------------------------


def test_nothing_is_built_from_changed_sources_and_without_programs(
    checkout: Path, tmp_path: Path
) -> None:
    run("git", "clone", "--quiet", checkout, "changed", folder=tmp_path)
    changed = tmp_path / "changed"
    text = (changed / "pyproject.toml").read_text().replace(VERSION, "9.9.9", 1)
    (changed / "pyproject.toml").write_text(text)
    (changed / "new.txt").touch()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").symlink_to(str(shutil.which("git")))
    environment = build_environment() | {"PATH": str(tmp_path / "bin"), "CC": "no-such-compiler"}
    process = subprocess.run(
        BUILD, cwd=changed, env=environment, capture_output=True, text=True, check=False
    )
    first, uncommitted, differing, missing, tables, npm, compiler = process.stderr.splitlines()
    assert process.returncode == 1
    assert first == "No release is built."
    assert uncommitted == "Commit or remove first: pyproject.toml, new.txt."
    assert "disagree: 9.9.9 in pyproject.toml, " in differing
    assert "no section `## 9.9.9 - " in missing
    assert "other tables or rulesets of 9.9.9, or none" in tables
    assert npm.startswith("npm is missing")
    assert compiler.startswith("There is no C compiler")
    assert not (changed / "build").exists()


# -- its packages, installed ----------------------------------------------------------------------


def interpreter(version: str) -> str:
    """The program of a version of Python, if it is installed."""
    if sys.version_info[:2] == tuple(map(int, version.split("."))):
        return sys.executable
    program = shutil.which(f"python{version}")
    if not program or subprocess.run([program, "-c", ""], check=False).returncode:
        pytest.skip(f"there is no Python {version}")
    return program


def new_environment(folder: Path, python: str, *installations: Sequence[str | Path]) -> Path:
    """The programs of an empty virtual environment in which these packages are installed."""
    uv = (sys.executable, "-m", "uv")
    run(*uv, "venv", "--quiet", "--no-project", "--python", python, folder, folder=ROOT)
    install = (*uv, "pip", "install", "--quiet", "--python", folder / "bin" / "python")
    for packages in installations:
        run(*install, *packages, folder=ROOT)
    return folder / "bin"


@pytest.fixture(params=PYTHONS)
def python(request: pytest.FixtureRequest, released: Path) -> str:
    """A version of Python for which the release has wheels."""
    program = interpreter(request.param)
    if program != sys.executable and "py3-none" not in the_file(released, "*games*.whl").name:
        pytest.skip("compiled wheels are for one version of Python")
    return program


@pytest.fixture
def served(released: Path, python: str, tmp_path: Path) -> Iterator[Served]:
    """A server of the installed package, in a folder without sources."""
    locked = ("--require-hashes", "--only-binary=:all:", "-r", "requirements/runtime.txt")
    wheel = ("--no-deps", the_file(released, "*games*.whl"))
    server = new_environment(tmp_path / "server", python, locked, wheel)
    (tmp_path / "elsewhere").mkdir()
    variables = {"PORT": str(free_port()), "XDG_DATA_HOME": str(tmp_path / "data")}
    process = subprocess.Popen(
        [server / "tabularium", "serve", "--concurrency=1"],
        cwd=tmp_path / "elsewhere",
        env=build_environment() | variables,
    )
    served = Served(f"http://127.0.0.1:{variables['PORT']}", process.pid)
    try:
        assert soon(served.is_answering)
        run(server / "tabularium", "doctor", folder=tmp_path, **variables)
        yield served
    finally:
        process.terminate()
        assert process.wait() == 0
    assert {path.name for path in (tmp_path / "data").iterdir()} == {"tabularium"}
    assert not list((tmp_path / "elsewhere").iterdir())


def test_it_serves_and_its_client_plays(
    released: Path, python: str, served: Served, tmp_path: Path
) -> None:
    wheel = ("-c", "requirements/dev.txt", the_file(released, "tabularium_client*.whl"))
    client = new_environment(tmp_path / "client", python, wheel)
    phase, verdict = run(client / "python", "-c", GAME, served.url, folder=tmp_path).split(" ", 1)
    assert phase == "over"
    assert verdict.startswith("OK: game_")
    for page in ("/", "/rules/duality", "/guides/quickstart", "/api/v1/docs"):
        with urlopen(served.url + page) as reply:
            assert reply.status == 200
