"""The example games compiled: they keep all promises and play the games that they play interpreted,
on the compiled kit and on the interpreted one; a compiled module never hides an edited source."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

import pytest

from tabularium_engines.builds import compiled_engines, package_build
from tabularium_engines.promises.transcripts import promise_13
from tests.examples import compiled_package
from tests.examples.small_games import SMALL_GAMES, install_sources
from tests.support.missing_requirements import require_compiler, skip_or_fail

pytestmark = pytest.mark.lane("builds")

WHERE: Final = (
    "-c",
    "import tabularium_engines.installed.registry, kuhn_poker; print(kuhn_poker.__file__)",
)
IMPORT_REGISTRY: Final = ("-c", "import tabularium_engines.installed.registry")
COMPILED_KIT: Final = compiled_engines.find_matching_build() is not None
# the package is loaded as in a process without a build of Tabularium
ON_THE_INTERPRETED_KIT: Final = """
import os, sys
from tabularium_engines.builds import compiled_engines
assert compiled_engines.engine_mode() == "interpreted"
os.environ[compiled_engines.MODE_VARIABLE] = "auto"
import kuhn_poker
from tests.engines import transcript
assert not kuhn_poker.__file__.endswith(".py")
for line in transcript.main(int(sys.argv[1]), 20, sys.argv[2:]):
    print(line)
"""


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled package, for all tests: the build takes ten seconds."""
    require_compiler()
    folder = tmp_path_factory.mktemp("compiled")
    compiled_package.write_package(folder / "source")
    install_sources([folder / "source"], folder / "installed")
    return folder / "installed"


@pytest.fixture
def installed(built: Path, tmp_path: Path) -> Path:
    """A copy of the installed package, to be modified."""
    shutil.copytree(built, tmp_path / "installed")
    return tmp_path / "installed"


def lines_of(*arguments: str, folder: Path, mode: str = "auto") -> list[str]:
    """The lines that a module prints."""
    process = compiled_package.run_module(*arguments, folder=folder, mode=mode)
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


def test_compiled_games_keep_all_promises(
    built: Path, games_count: Callable[[int, int], int]
) -> None:
    module = "tests.examples.packaged_promises"
    games = str(games_count(2, 20))
    files = lines_of("-m", module, games, *SMALL_GAMES, folder=built)
    assert files == [str(built / f"{name}{EXTENSION_SUFFIXES[0]}") for name in SMALL_GAMES]


def test_13_compiled_and_interpreted_games_are_equal(
    built: Path, games_count: Callable[[int, int], int]
) -> None:
    games = str(games_count(3, 30))
    transcript = ("-m", "tests.engines.transcript", games, "20", *SMALL_GAMES)
    interpreted = lines_of(*transcript, folder=built, mode="interpreted")
    assert len(interpreted) > 2 * int(games)
    mixed_arguments = ("-c", ON_THE_INTERPRETED_KIT, games, *SMALL_GAMES)
    mixed = lines_of(*mixed_arguments, folder=built, mode="interpreted")
    assert mixed == interpreted
    if COMPILED_KIT:
        promise_13(interpreted, lines_of(*transcript, folder=built, mode="compiled"))


def test_interpreted_games_on_the_compiled_kit_are_equal(installed: Path) -> None:
    if not COMPILED_KIT:
        skip_or_fail("nothing is compiled of these sources: run `make compile`")
    for module in installed.glob("*.so"):
        module.unlink()
    transcript = ("-m", "tests.engines.transcript", "2", "20", *SMALL_GAMES)
    assert lines_of(*WHERE, folder=installed, mode="compiled") == [str(installed / "kuhn_poker.py")]
    interpreted = lines_of(*transcript, folder=installed, mode="interpreted")
    promise_13(interpreted, lines_of(*transcript, folder=installed, mode="compiled"))


def test_the_interpreted_mode_runs_the_source(built: Path) -> None:
    assert lines_of(*WHERE, folder=built, mode="interpreted") == [str(built / "kuhn_poker.py")]


@pytest.mark.parametrize("change", ["edited", "no digest"])
def test_a_module_of_another_source_is_not_run(installed: Path, change: str) -> None:
    source = installed / "kuhn_poker.py"
    if change == "edited":
        source.write_text(source.read_text() + "\n")
    else:
        source.with_suffix(".digest").unlink()
    process = compiled_package.run_module(*WHERE, folder=installed)
    assert process.stdout.splitlines() == [str(source)]
    notice = "The package two-games runs interpreted: kuhn_poker was not compiled from the source"
    assert notice in process.stderr


def test_a_package_without_sources_is_refused(installed: Path) -> None:
    (installed / "kuhn_poker.py").unlink()
    process = compiled_package.run_module(*IMPORT_REGISTRY, folder=installed)
    assert process.returncode == 1
    assert process.stderr == (
        "The package two-games is refused: it brings no source of kuhn_poker, and the rules of a"
        " game are checked in their source.\n"
    )


def test_imports_of_a_compiled_game_are_checked(installed: Path) -> None:
    source = installed / "four_in_a_row.py"
    source.write_text(source.read_text() + "import socket\n")
    process = compiled_package.run_module(*IMPORT_REGISTRY, folder=installed)
    assert "two-games is refused: four_in_a_row imports socket" in process.stderr


# -- the sources as they are compiled -------------------------------------------------------------

GAME: Final = '''"""A game."""

from __future__ import annotations

CARDS = 3

class Pile:
    size: int = 0


class DeepPile(Pile):
    depth: Annotated[int, 'ü'] = 0

@dataclass
class Take:
    kind: ClassVar = "take"
    place: Annotated[
        int, Between(0, CARDS)
    ]

class Mine(State):
    pile: "Pile"
'''
PREPARED: Final = '''"""A game."""

from __future__ import annotations; from mypy_extensions import mypyc_attr

CARDS = 3

class Pile:
    size: int = 0


class DeepPile(Pile):
    depth: Annotated[int, 'ü'] = 0
@mypyc_attr(native_class=False)
@dataclass
class Take:
    kind: 'ClassVar' = "take"
    place: 'Annotated[int, Between(0, CARDS)]'
@mypyc_attr(native_class=False)
class Mine(State):
    pile: "Pile"

__doc__ = 'A game.'\
'''


def test_classes_with_foreign_bases_stay_python_classes() -> None:
    assert package_build.prepared_sources({"game.py": GAME}) == {"game.py": PREPARED}


@pytest.mark.parametrize(
    ("source", "prepared"),
    [
        ("X = 1\n", "from mypy_extensions import mypyc_attr\nX = 1\n"),
        (
            '"""Doc."""\nX = 1\n',
            '"""Doc."""; from mypy_extensions import mypyc_attr\nX = 1\n\n__doc__ = \'Doc.\'',
        ),
    ],
)
def test_the_mark_is_imported_first(source: str, prepared: str) -> None:
    assert package_build.prepared_sources({"game.py": source}) == {"game.py": prepared}


def test_docstrings_of_python_classes_are_set_again() -> None:
    source = 'class Move(Base):\n    """A \\"move\\"."""\n'
    prepared = package_build.prepared_sources({"game.py": source})["game.py"]
    assert prepared.splitlines()[-1] == """setattr(Move, "__doc__", 'A "move".')"""


def test_a_base_of_another_module_of_the_unit_may_be_native() -> None:
    sources = {"a.py": "class Pile:\n    pass\n", "b.py": "class Deep(Pile):\n    pass\n"}
    prepared = package_build.prepared_sources(sources)
    assert package_build.MARK not in "".join(prepared.values())
