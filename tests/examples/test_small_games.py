"""The example games in one file: each keeps all promises, and its package is installed, played,
drawn, verified and removed without an edit anywhere else."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from games.engines.small_game_kit import picture_svg, plain_text
from games.engines.small_game_kit.engine import about_game
from games.engines.small_game_kit.fields import board
from games.plugins import ENTRY_POINT_GROUP
from games.promises import PROMISES
from games.promises.random_games import play
from tests.examples import small_games
from tests.examples.small_games import SMALL_GAMES
from tests.python_process import run_python

ROOT: Final = small_games.EXAMPLES.parent
MAX_LINES: Final = 120
IMPORT_REGISTRY: Final = ("-c", "import games.registry")
LIST_GAME: Final = """
import django; django.setup()
from ai.management.commands.play import listed_name
from api.rulesets import ruleset_summary
from games.registry import ENGINES
print(ruleset_summary(ENGINES["{0}"]).proven, listed_name("{0}"))
"""
EMPTY_GAME: Final = "ENGINES = ()\n"


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_a_game_is_one_short_file(name: str) -> None:
    assert len(small_games.game_file(name).read_text().splitlines()) <= MAX_LINES


@pytest.mark.parametrize("number", PROMISES)
@pytest.mark.parametrize("name", SMALL_GAMES)
def test_it_keeps_every_promise(
    name: str, number: int, games_count: Callable[[int, int], int]
) -> None:
    engine = small_games.load_engine(name)
    for seed in range(games_count(3, 30)):
        PROMISES[number](engine, engine.about.options(), 2, seed, 10)


def test_hidden_cards_are_null_and_open_at_the_end() -> None:
    engine = small_games.load_engine("kuhn_poker")
    states = [each.state for each in play(engine, engine.about.options(), 2, 1).positions]
    for seat in (0, 1, None):
        dealt, last = engine.view(states[0], seat), engine.view(states[-1], seat)
        visible = [hand != (None,) for hand in dealt.hands]
        assert visible == [owner == seat for owner in range(2)]
        assert dealt.undealt == (None,)
        assert {*last.hands[0], *last.hands[1], *last.undealt} == {"J", "Q", "K"}


def run_with(path: Path | None, data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the project, with the packages of a folder."""
    folders = [str(ROOT), *([] if path is None else [str(path)])]
    return run_python(
        *arguments,
        PYTHONPATH=os.pathsep.join(folders),
        DJANGO_SETTINGS_MODULE="config.settings",
        TABULARIUM_DATA=data,
    )


def test_a_package_is_installed_played_and_removed(tmp_path: Path) -> None:
    packages, games = tmp_path / "packages", str(tmp_path / "games.json")
    small_games.install_package("kuhn_poker", packages, tmp_path)
    for step, path in (("play", packages), ("removed", None), ("play", packages)):
        result = run_with(path, tmp_path / "data", "-m", "tests.examples.plugin_life", step, games)
        assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_a_package_ships_its_record_and_is_unproven_once_it_is_edited(
    tmp_path: Path, name: str
) -> None:
    packages = tmp_path / "packages"
    small_games.install_package(name, packages, tmp_path)
    assert listing(name, packages) == f"True {name}\n"
    installed = packages / f"{name}.py"
    installed.write_text(installed.read_text().replace("summary=", "summary='' "))
    assert listing(name, packages) == f"False {name} (unproven)\n"


def listing(name: str, packages: Path) -> str:
    """How the catalogue and the terminal list the game of an installed package."""
    result = run_with(packages, packages / "data", "-c", LIST_GAME.format(name))
    assert result.returncode == 0, result.stderr
    return result.stdout


def write_package(folder: Path, package: str, module: str, source: str) -> None:
    """A package as an installer leaves it, with one entry point."""
    (folder / f"{module}.py").write_text(source)
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\n{module} = {module}:ENGINES\n")


def refusal_of(folder: Path) -> str:
    """The sentence with which a process ends that registers these packages."""
    result = run_with(folder, folder / "data", *IMPORT_REGISTRY)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    return result.stderr


@pytest.mark.parametrize(
    "line",
    [
        "import random",
        "from time import monotonic",
        "import os.path",
        "from games import selectors",
        "from games.models import Game",
        "def later():\n    import secrets",
    ],
)
def test_a_package_whose_rules_reach_outside_is_refused(tmp_path: Path, line: str) -> None:
    write_package(tmp_path, "chancy", "chancy_game", f"{line}\n{EMPTY_GAME}")
    sentence = refusal_of(tmp_path)
    assert sentence.startswith("The package chancy is refused: chancy_game imports ")


@pytest.mark.parametrize(
    "line", ["from deep_game import helper", "from . import helper", "from .helper import later"]
)
def test_so_is_one_whose_helper_does(tmp_path: Path, line: str) -> None:
    (tmp_path / "deep_game").mkdir()
    (tmp_path / "deep_game" / "helper.py").write_text("import socket\n")
    source = f"{line}\n{EMPTY_GAME}"
    write_package(tmp_path, "deep", "unused", EMPTY_GAME)
    (tmp_path / "deep_game" / "__init__.py").write_text(source)
    points = tmp_path / "deep-1.0.dist-info" / "entry_points.txt"
    points.write_text(f"[{ENTRY_POINT_GROUP}]\ndeep = deep_game:ENGINES\n")
    assert "deep_game.helper imports socket" in refusal_of(tmp_path)


def test_the_packages_around_the_rules_are_checked(tmp_path: Path) -> None:
    write_package(tmp_path, "deep", "unused", EMPTY_GAME)
    (tmp_path / "deep_game" / "inner").mkdir(parents=True)
    (tmp_path / "deep_game" / "__init__.py").write_text("import random\n")
    (tmp_path / "deep_game" / "inner" / "__init__.py").touch()
    (tmp_path / "deep_game" / "inner" / "rules.py").write_text(EMPTY_GAME)
    points = tmp_path / "deep-1.0.dist-info" / "entry_points.txt"
    points.write_text(f"[{ENTRY_POINT_GROUP}]\ndeep = deep_game.inner.rules:ENGINES\n")
    assert "deep_game imports random" in refusal_of(tmp_path)


def test_the_rules_in_a_namespace_are_checked_and_need_a_source(tmp_path: Path) -> None:
    write_package(tmp_path, "spread", "unused", EMPTY_GAME)
    (tmp_path / "spread_game").mkdir()  # without __init__.py, a namespace
    (tmp_path / "spread_game" / "rules.py").write_text(f"import random\n{EMPTY_GAME}")
    points = tmp_path / "spread-1.0.dist-info" / "entry_points.txt"
    points.write_text(f"[{ENTRY_POINT_GROUP}]\nspread = spread_game.rules:ENGINES\n")
    assert "spread_game.rules imports random" in refusal_of(tmp_path)
    points.write_text(f"[{ENTRY_POINT_GROUP}]\nspread = spread_game:ENGINES\n")
    assert "it brings no source of spread_game," in refusal_of(tmp_path)


def test_an_entry_point_must_name_engines(tmp_path: Path) -> None:
    write_package(tmp_path, "empty", "empty_game", "ENGINES = (1,)\n")
    assert "empty_game must name a tuple of engines" in refusal_of(tmp_path)


def test_two_packages_may_not_bring_the_same_ruleset(tmp_path: Path) -> None:
    source = small_games.game_file("kuhn_poker").read_text()
    write_package(tmp_path, "one", "first_kuhn", source)
    write_package(tmp_path, "two", "second_kuhn", source)
    sentence = "The packages one and two both bring kuhn_poker rules version 1: uninstall one"
    assert sentence in refusal_of(tmp_path)


# -- the kit ---------------------------------------------------------------------------------------


def test_the_rows_and_columns_of_a_board_have_names() -> None:
    fields = (board("squares", rows="21", columns=("a", "bb", "c")),)
    view = SimpleNamespace(seat=0, seats=2, to_act=1, squares=((0, 1, 0), (2, 0, 0)))
    page = plain_text.page("Board", view, fields, "·●○")
    assert page.splitlines()[-4:] == ["Squares:", "     a bb  c", "  2  ·  ●  ·", "  1  ○  ·  ·"]
    picture = picture_svg.draw("Board", view, fields, "·●○", page)
    names = re.findall(r">([\w●○]+)</text>", picture)
    assert names[-7:] == ["●", "○", "2", "1", "a", "bb", "c"]


def test_cards_need_names() -> None:
    engine: Any = small_games.load_engine("kuhn_poker")
    with pytest.raises(ValueError, match=r"^KuhnState has cards: about_game needs their names$"):
        about_game(engine.state_type, slug="unnamed")
