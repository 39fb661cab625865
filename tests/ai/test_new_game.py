"""`manage.py new_game` writes a whole game in each layout, whose tests pass; a package is proven
once its promises are recorded, and a game in the tree is registered."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Final

import pytest
from django.core.management import CommandError, call_command

from ai.management.commands.new_game import tree_refusal
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tabularium_engines.installed.registry import ENGINES
from tests.examples import small_games
from tests.support.python_process import run_python
from tests.versions.scratch_copy import ScratchCopy

pytestmark = pytest.mark.lane("builds")

LAYOUTS: Final = ("--one-file", "--folder")
NAME: Final = "tiny_tricks"
LIST_GAME: Final = """
from tabularium_engines.installed.registry import ENGINES, is_proven
about = ENGINES["tiny_tricks"].about
print(about.title, is_proven(about.slug, about.version))
"""


def new_game(name: str, *arguments: str) -> str:
    """The output of the command."""
    output = io.StringIO()
    call_command("new_game", name, *arguments, stdout=output)
    return output.getvalue()


def run_in(
    folder: Path, *arguments: str, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with this project and the packages of another folder."""
    paths = [str(PROJECT_ROOT), *([] if path is None else [str(path)])]
    return run_python(*arguments, cwd=folder, PYTHONPATH=os.pathsep.join(paths))


@pytest.fixture(scope="module", params=LAYOUTS)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a new game."""
    into = tmp_path_factory.mktemp("games")
    output = new_game(NAME, request.param, "--into", str(into))
    assert output.startswith(f"Tiny Tricks is in {into / NAME}. ")
    return into / NAME


def test_a_new_game_is_one_file_unless_a_folder_is_asked_for(tmp_path: Path) -> None:
    new_game("first_try", "--into", str(tmp_path))
    assert {path.name for path in (tmp_path / "first_try").iterdir()} == {
        "first_try.py",
        "first_try_promises.py",
        "pyproject.toml",
        "tests",
    }


def test_nothing_of_the_template_is_left(game: Path) -> None:
    for path in game.rglob("*"):
        assert not {"my_game", "txt"} & set(path.name.split("."))
        if path.is_file():
            text = path.read_text().lower()
            assert not any(word in text for word in ("my_game", "my-game", "my game", "mygame"))


def test_its_own_tests_pass(game: Path) -> None:
    result = run_in(game, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert result.returncode == 0, result.stdout
    assert " passed" in result.stdout


def test_its_source_is_formatted_and_without_faults(game: Path) -> None:
    for command in (["format", "--check"], ["check", "--select=E,F,I,UP"]):
        options = ["--isolated", "--no-cache", "--line-length=100"]
        result = run_in(game, "-m", "ruff", *command, *options)
        assert result.returncode == 0, result.stdout


def test_its_package_is_proven_once_the_promises_are_recorded(game: Path, tmp_path: Path) -> None:
    small_games.install_folder(game, tmp_path / "before", tmp_path)
    listing = run_in(tmp_path, "-c", LIST_GAME, path=tmp_path / "before")
    assert listing.stdout == "Tiny Tricks False\n", listing.stderr
    command = [str(PROJECT_ROOT / "manage.py"), "check_game", str(game), "--record"]
    check = run_in(tmp_path, *command)
    assert check.stdout.endswith("All 16 promises are kept.\n"), check.stdout + check.stderr
    small_games.install_folder(game, tmp_path / "after", tmp_path)
    listing = run_in(tmp_path, "-c", LIST_GAME, path=tmp_path / "after")
    assert listing.stdout == "Tiny Tricks True\n", listing.stderr


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("My_Game", "'My_Game' is no name for a game: use small letters, "),
        ("my-game", "'my-game' is no name"),
        ("1st_game", "'1st_game' is no name"),
        ("two__lines", "'two__lines' is no name"),
        ("../game", "'../game' is no name"),
        ("a" * 33, "is no name"),
        (next(iter(ENGINES)), f"There is a game {next(iter(ENGINES))} already"),
        ("lambda", "lambda is the name of another Python module"),
        ("random", "random is the name of another Python module"),
        ("games", "games is the name of another Python module"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(CommandError) as error:
        new_game(name, "--into", str(tmp_path))
    assert sentence in str(error.value)
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> ScratchCopy:
    """A copy of the project with a new game in its tree."""
    copy = ScratchCopy(tmp_path_factory.mktemp("tree"))
    shutil.copy(PROJECT_ROOT / "zensical.toml", copy.root)
    output = copy.run("manage.py", "new_game", NAME, "--in-tree").splitlines()
    assert f"wrote tabularium_engines/{NAME}/engine.py" in output
    assert output[-2:] == [
        "registered in tabularium_engines/__init__.py",
        "registered in zensical.toml",
    ]
    return copy


def test_a_game_of_the_tree_is_whole(copy: ScratchCopy) -> None:
    copy.run("-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/engines/{NAME}")
    copy.run("manage.py", "check_game", NAME, "--games", "1")
    copy.run("manage.py", "arena", NAME, "--bots", "random", "greedy", "--games", "2", "--jobs=1")
    for folder in (
        f"tabularium_engines/{NAME}",
        f"tests/engines/{NAME}",
        f"tabularium_engines/heuristics/{NAME}.py",
    ):
        copy.run("-m", "ruff", "check", "--no-cache", folder)
        copy.run("-m", "ruff", "format", "--check", "--no-cache", folder)


def test_it_comes_last_in_each_list(copy: ScratchCopy) -> None:
    listing = copy.run(
        "-c", "from tabularium_engines.installed.registry import ENGINES; print(*ENGINES)"
    ).split()
    assert listing == [*ENGINES, NAME]
    navigation = tomllib.loads((copy.root / "zensical.toml").read_text())["project"]["nav"]
    (pages,) = (group["Games"] for group in navigation if "Games" in group)
    assert pages[-3:] == [f"rules/{NAME}.md", "strength.md", "balance.md"]


def test_the_tree_has_one_place_for_a_game(copy: ScratchCopy, tmp_path: Path) -> None:
    again = run_python("manage.py", "new_game", NAME, "--in-tree", cwd=copy.root)
    assert f"There is a game {NAME} already" in again.stderr
    with pytest.raises(CommandError, match="leave out --into"):
        new_game(NAME, "--in-tree", "--into", str(tmp_path))
    assert "needs a checkout" in tree_refusal(None, tmp_path)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    with pytest.raises(CommandError, match=f"{NAME} exists already"):
        new_game(NAME, "--into", str(tmp_path))
    with pytest.raises(CommandError, match="There is no folder"):
        new_game(NAME, "--into", str(tmp_path / "elsewhere"))
    assert not list((tmp_path / NAME).iterdir())
