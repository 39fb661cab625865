"""The example games in one file: each keeps all promises, and its package is installed, played,
drawn, verified and removed without an edit anywhere else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from tabularium_engines.installed import plugins
from tabularium_engines.installed.plugins import ENTRY_POINT_GROUP
from tabularium_engines.kit import picture_svg, plain_text
from tabularium_engines.kit.engine import SmallEngine, about_game
from tabularium_engines.kit.fields import (
    board,
    number,
    numbers,
    own_cards,
    secret_cards,
)
from tabularium_engines.promises import PROMISES
from tabularium_engines.promises.random_games import play
from tests.examples import small_games
from tests.examples.small_games import SMALL_GAMES
from tests.support.python_process import run_python

ROOT: Final = small_games.EXAMPLES.parent
MAX_LINES: Final = 120
IMPORT_REGISTRY: Final = ("-c", "import tabularium_engines.installed.registry")
LIST_GAMES: Final = """
import sys
import django; django.setup()
from ai.management.commands.play import listed_name
from api.rulesets import ruleset_summary
from tabularium_engines.installed.registry import ENGINES
for name in sys.argv[1:]:
    print(ruleset_summary(ENGINES[name]).proven, listed_name(name))
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


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed packages of the examples, which no test may edit."""
    folder = tmp_path_factory.mktemp("packages")
    small_games.install_packages(SMALL_GAMES, folder, tmp_path_factory.mktemp("source"))
    return folder


@pytest.mark.lane("builds")
def test_a_package_is_installed_played_and_removed(packages: Path, tmp_path: Path) -> None:
    games = str(tmp_path / "games.json")
    for step, path in (("play", packages), ("removed", None), ("play", packages)):
        result = run_with(path, tmp_path / "data", "-m", "tests.examples.plugin_life", step, games)
        assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.lane("builds")
def test_a_package_ships_its_record_and_is_unproven_once_it_is_edited(
    packages: Path, tmp_path: Path
) -> None:
    assert listing(packages, tmp_path) == [f"True {name}" for name in SMALL_GAMES]
    edited = tmp_path / "packages"
    shutil.copytree(packages, edited)
    for name in SMALL_GAMES:
        installed = edited / f"{name}.py"
        installed.write_text(installed.read_text().replace("summary=", "summary='' "))
    assert listing(edited, tmp_path) == [f"False {name} (unproven)" for name in SMALL_GAMES]


def listing(packages: Path, data: Path) -> list[str]:
    """How the catalogue and the terminal list the games of installed packages."""
    result = run_with(packages, data, "-c", LIST_GAMES, *SMALL_GAMES)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def write_package(folder: Path, package: str, module: str, source: str) -> None:
    """A package as an installer leaves it, with one entry point."""
    (folder / f"{module}.py").write_text(source)
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{ENTRY_POINT_GROUP}]\n{module} = {module}:ENGINES\n")


def end_of_process(folder: Path) -> str:
    """The sentence with which a process ends that registers these packages."""
    result = run_with(folder, folder / "data", *IMPORT_REGISTRY)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    return result.stderr


@pytest.fixture
def refusal_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], str]:
    """The sentence of the refusal to load the packages in a folder."""

    def refusal(folder: Path) -> str:
        monkeypatch.syspath_prepend(folder)
        with pytest.raises(plugins.PluginRefused) as refused:
            list(plugins.load_plugins())
        return str(refused.value)

    return refusal


def test_a_process_ends_with_the_sentence_of_the_refusal(
    tmp_path: Path, refusal_of: Callable[[Path], str]
) -> None:
    write_package(tmp_path, "chancy", "chancy_game", f"import random\n{EMPTY_GAME}")
    assert end_of_process(tmp_path) == f"{refusal_of(tmp_path)}\n"


@pytest.mark.parametrize(
    "line",
    [
        "import random",
        "from time import monotonic",
        "import os.path",
        "from games import selectors",
        "from games.models import Game",
        "from tabularium_engines import search",
        "from tabularium_engines.builds.compiled_engines import PROJECT_ROOT",
        "def later():\n    import secrets",
    ],
)
def test_a_package_whose_rules_reach_outside_is_refused(
    tmp_path: Path, line: str, refusal_of: Callable[[Path], str]
) -> None:
    write_package(tmp_path, "chancy", "chancy_game", f"{line}\n{EMPTY_GAME}")
    sentence = refusal_of(tmp_path)
    assert sentence.startswith("The package chancy is refused: chancy_game imports ")


def test_a_package_may_import_the_rules_by_the_names_of_the_last_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = small_games.game_file("kuhn_poker").read_text()
    older = source.replace("tabularium_engines.kit", "games.engines.small_game_kit")
    older = older.replace("tabularium_engines.", "games.engines.")
    write_package(tmp_path, "older", "older_kuhn", older)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.warns(FutureWarning) as warned:
        ((engine, package),) = plugins.load_plugins()
    assert (isinstance(engine, SmallEngine), package) == (True, "older")
    sentence = "games.engines.small_game_kit.engine is tabularium_engines.kit.engine now; "
    assert any(str(each.message).startswith(sentence) for each in warned)
    assert set(plugins.imported_names(older)) == set(plugins.imported_names(source))
    play(engine, engine.about.options(), 2, 1)


@pytest.mark.parametrize(
    "line", ["from deep_game import helper", "from . import helper", "from .helper import later"]
)
def test_so_is_one_whose_helper_does(
    tmp_path: Path, line: str, refusal_of: Callable[[Path], str]
) -> None:
    (tmp_path / "deep_game").mkdir()
    (tmp_path / "deep_game" / "helper.py").write_text("import socket\n")
    source = f"{line}\n{EMPTY_GAME}"
    write_package(tmp_path, "deep", "unused", EMPTY_GAME)
    (tmp_path / "deep_game" / "__init__.py").write_text(source)
    points = tmp_path / "deep-1.0.dist-info" / "entry_points.txt"
    points.write_text(f"[{ENTRY_POINT_GROUP}]\ndeep = deep_game:ENGINES\n")
    assert "deep_game.helper imports socket" in refusal_of(tmp_path)


def test_the_packages_around_the_rules_are_checked(
    tmp_path: Path, refusal_of: Callable[[Path], str]
) -> None:
    write_package(tmp_path, "deep", "unused", EMPTY_GAME)
    (tmp_path / "deep_game" / "inner").mkdir(parents=True)
    (tmp_path / "deep_game" / "__init__.py").write_text("import random\n")
    (tmp_path / "deep_game" / "inner" / "__init__.py").touch()
    (tmp_path / "deep_game" / "inner" / "rules.py").write_text(EMPTY_GAME)
    points = tmp_path / "deep-1.0.dist-info" / "entry_points.txt"
    points.write_text(f"[{ENTRY_POINT_GROUP}]\ndeep = deep_game.inner.rules:ENGINES\n")
    assert "deep_game imports random" in refusal_of(tmp_path)


def test_the_rules_in_a_namespace_are_checked_and_need_a_source(
    tmp_path: Path, refusal_of: Callable[[Path], str]
) -> None:
    write_package(tmp_path, "spread", "unused", EMPTY_GAME)
    (tmp_path / "spread_game").mkdir()  # without __init__.py, a namespace
    (tmp_path / "spread_game" / "rules.py").write_text(f"import random\n{EMPTY_GAME}")
    points = tmp_path / "spread-1.0.dist-info" / "entry_points.txt"
    points.write_text(f"[{ENTRY_POINT_GROUP}]\nspread = spread_game.rules:ENGINES\n")
    assert "spread_game.rules imports random" in refusal_of(tmp_path)
    points.write_text(f"[{ENTRY_POINT_GROUP}]\nspread = spread_game:ENGINES\n")
    assert "it brings no source of spread_game," in refusal_of(tmp_path)


def test_an_entry_point_must_name_engines(
    tmp_path: Path, refusal_of: Callable[[Path], str]
) -> None:
    write_package(tmp_path, "empty", "empty_game", "ENGINES = (1,)\n")
    assert "empty_game must name a tuple of engines" in refusal_of(tmp_path)


def test_two_packages_may_not_bring_the_same_ruleset(tmp_path: Path) -> None:
    source = small_games.game_file("kuhn_poker").read_text()
    write_package(tmp_path, "one", "first_kuhn", source)
    write_package(tmp_path, "two", "second_kuhn", source)
    sentence = "The packages one and two both bring kuhn_poker rules version 1: uninstall one"
    assert sentence in end_of_process(tmp_path)


# -- the kit ---------------------------------------------------------------------------------------


def test_the_rows_and_columns_of_a_board_have_names() -> None:
    fields = (board("squares", rows="21", columns=("a", "bb", "c")),)
    view = SimpleNamespace(seat=0, seats=2, to_act=1, squares=((0, 1, 0), (2, 0, 0)))
    page = plain_text.page("Board", view, fields, "·●○")
    assert page.splitlines()[-4:] == ["Squares:", "     a bb  c", "  2  ·  ●  ·", "  1  ○  ·  ·"]
    picture = picture_svg.draw("Board", view, fields, "·●○", page)
    names = re.findall(r">([\w●○]+)</text>", picture)
    assert names[-7:] == ["●", "○", "2", "1", "a", "bb", "c"]


def things_of(picture: str) -> list[tuple[str, str]]:
    """The marks of the things in a picture, with their titles."""
    return re.findall(r'data-pick="([^"]*)"><title>([^<]*)</title>', picture)


def test_squares_are_marked_by_their_names_or_numbers() -> None:
    view = SimpleNamespace(seat=0, seats=2, to_act=1, squares=((0, 1), (2, 0)))
    named = (board("squares", rows="21", columns="ab").marked("row={row},column={column}"),)
    assert things_of(picture_svg.draw("Board", view, named, "·●○", "Board")) == [
        ("row=2,column=a", "Row 2, column a: empty"),
        ("row=2,column=b", "Row 2, column b: ●"),
        ("row=1,column=a", "Row 1, column a: ○"),
        ("row=1,column=b", "Row 1, column b: empty"),
    ]
    numbered = (board("squares").marked("column={column}"),)
    marks = [mark for mark, _ in things_of(picture_svg.draw("B", view, numbered, "·●○", "B"))]
    assert marks == ["column=0", "column=1"] * 2


def test_cards_and_numbers_are_marked_as_far_as_they_are_seen() -> None:
    fields = (
        own_cards("hands").marked("card={card} seat={seat}"),
        secret_cards("pile").marked("type=draw"),
        numbers("bids").marked("bid={place}"),
        number("turn"),
    )
    view = SimpleNamespace(
        seat=1, seats=2, to_act=2, hands=((None,), ("K",)), pile=(None,), bids=(7, 8), turn=3
    )
    assert things_of(picture_svg.draw("Cards", view, fields, "", "Cards")) == [
        ("card=K seat=1", "Hands, seat 1: K"),
        ("type=draw", "Pile: a hidden card"),
        ("bid=0", "Bids: 7"),
        ("bid=1", "Bids: 8"),
    ]


def test_cards_need_names() -> None:
    engine: Any = small_games.load_engine("kuhn_poker")
    with pytest.raises(ValueError, match=r"^KuhnState has cards: about_game needs their names$"):
        about_game(engine.state_type, slug="unnamed")
