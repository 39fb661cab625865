"""The Python client as a package: its generated parts are current, it has every operation and type
of the document, and its wheel is whole."""

from __future__ import annotations

import ast
import importlib
import inspect
import shutil
import subprocess
import sys
import tomllib
import typing
import zipfile
from collections.abc import Iterator
from importlib.metadata import requires, version
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest
from packaging.requirements import Requirement

from api.problem_catalogue import PROBLEM_KINDS
from tabularium_client import AsyncClient, Client, retries, types
from tests.api.contract import contract
from tests.docs.verifier import load_program
from tests.support.databases import ROOT

pytestmark = pytest.mark.lane("clients")

CLIENT: Final = ROOT / "clients" / "python"
PACKAGE: Final = CLIENT / "src" / "tabularium_client"
SERVER: Final = PACKAGE / "mcp_server"
MAX_LINES: Final = 900  # written by hand


@pytest.fixture(scope="module")
def generator() -> Any:
    """The script that generates its parts."""
    return load_program(CLIENT / "generate.py")


@pytest.fixture(scope="module")
def generated(generator: ModuleType) -> dict[str, str]:
    """Its generated files, as they should be."""
    files: dict[str, str] = generator.generated()
    return files


def test_generated_files_are_current(generated: dict[str, str]) -> None:
    outdated = {
        name
        for name, content in generated.items()
        if (PACKAGE / name).read_text(encoding="utf-8") != content
    }
    assert not outdated, "make clients"


def test_the_verifier_is_that_of_the_documentation() -> None:
    assert (PACKAGE / "verifier.py").read_bytes() == (ROOT / "docs" / "verify.py").read_bytes()


def test_what_is_written_by_hand_is_small(generated: dict[str, str]) -> None:
    sources = [path for path in PACKAGE.glob("*.py") if path.name not in generated]
    assert sum(len(path.read_text().splitlines()) for path in sources) <= MAX_LINES


@pytest.mark.parametrize("client", [Client, AsyncClient])
def test_every_operation_is_a_method(client: type) -> None:
    missing = [name for name in contract().operations if not hasattr(client, name)]
    assert not missing, "a stream needs a method in async_client.py"


def test_both_clients_have_the_same_methods() -> None:
    renamed = {"aclose": "close", "__aenter__": "__enter__", "__aexit__": "__exit__"}
    names = {renamed.get(name, name) for name in vars(AsyncClient)}
    assert names == set(vars(Client))
    for name, method in inspect.getmembers(AsyncClient, inspect.isfunction):
        synchronous = getattr(Client, renamed.get(name, name))
        if name != "__init__":
            assert list(inspect.signature(method).parameters) == list(
                inspect.signature(synchronous).parameters
            )


def test_every_schema_is_a_type(generator: ModuleType) -> None:
    schemas = contract().document["components"]["schemas"]
    names = {name for name in schemas if not name.endswith(generator.REFUSAL)}
    assert not [name for name in names if not hasattr(types, name)]


def test_members_are_typed_and_optional_as_described(generator: ModuleType) -> None:
    text = generator.typed_dict(
        "Thing",
        {
            "properties": {
                "a": {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "an a"},
                "b": {"type": "array", "items": {"$ref": "#/components/schemas/Other"}},
                "c": {"type": "object", "additionalProperties": {"enum": ["x", 1]}},
                "d": {},
            },
            "required": ["a", "d"],
        },
    )
    assert [line.strip() for line in text.splitlines()] == [
        "class Thing(TypedDict):",
        '"""Thing."""',
        "",
        "a: int | None",
        '"""An a."""',
        "b: NotRequired[list[Other]]",
        'c: NotRequired[dict[str, Literal["x", 1]]]',
        "d: Any",
    ]


def test_a_member_may_be_called_like_a_keyword(generator: ModuleType) -> None:
    text = generator.typed_dict("Thing", {"properties": {"from": {"const": "a"}}})
    assert "from" in execute(text)["Thing"].__annotations__


def test_an_unknown_kind_of_schema_is_not_passed_over(generator: ModuleType) -> None:
    with pytest.raises(KeyError):
        generator.type_of({"patternProperties": {}})


def execute(text: str) -> dict[str, Any]:
    """The names that a source defines, among those of `typing`."""
    names = dict(vars(typing))
    exec(text, names)
    return names


def test_every_problem_that_the_retries_know_exists() -> None:
    assert PROBLEM_KINDS.keys() >= retries.UNDONE | retries.PERMANENT
    codes = set(typing.get_args(types.ProblemCode))
    assert PROBLEM_KINDS.keys() >= codes >= {"stale-choice", "illegal-action", "game-over"}


def imported(path: Path) -> Iterator[str]:
    """The packages that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]


def test_it_needs_httpx_alone() -> None:
    packages = {package for path in PACKAGE.glob("*.py") for package in imported(path)}
    assert packages - sys.stdlib_module_names == {"httpx", "tabularium_client"}
    project = tomllib.loads((CLIENT / "pyproject.toml").read_text())["project"]
    assert [line.partition(">")[0] for line in project["dependencies"]] == ["httpx"]


def test_its_mcp_server_needs_the_sdk_and_what_that_brings() -> None:
    packages = {package for path in SERVER.glob("*.py") for package in imported(path)}
    known = {"anyio", "jsonschema", "mcp", "tabularium_client", "uvicorn"}
    assert packages - sys.stdlib_module_names == known
    project = tomllib.loads((CLIENT / "pyproject.toml").read_text())["project"]
    (sdk,) = project["optional-dependencies"]["mcp"]
    brought = {Requirement(line).name for line in requires("mcp") or ()}
    assert brought >= known - {"mcp", "tabularium_client"}
    assert Requirement(sdk).specifier.contains(version("mcp"))


def test_its_wheel_is_whole(tmp_path: Path) -> None:
    copy = shutil.copytree(CLIENT, tmp_path / "copy", ignore=shutil.ignore_patterns("*.egg-info"))
    build = "from setuptools.build_meta import build_wheel; build_wheel('..')"
    command = [sys.executable, "-c", build]
    subprocess.run(command, cwd=copy, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    archive = zipfile.ZipFile(wheel)
    names = set(archive.namelist())
    files = [*PACKAGE.iterdir(), *SERVER.iterdir()]
    sources = {path.relative_to(PACKAGE.parent).as_posix() for path in files if path.is_file()}
    assert {name for name in names if ".dist-info/" not in name} == sources
    assert "tabularium_client/py.typed" in names
    assert any(name.endswith("/LICENSE") for name in names)
    (commands,) = (name for name in names if name.endswith("/entry_points.txt"))
    module = "tabularium_client.mcp_server.command"
    assert f"tabularium-mcp = {module}:main" in archive.read(commands).decode()
    assert callable(importlib.import_module(module).main)
