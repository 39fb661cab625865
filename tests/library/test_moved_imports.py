"""Imports are moved where the syntax has them, and nowhere else."""

from __future__ import annotations

import pytest

from library.wheel.moved_imports import CannotMove, move_imports

NEW_NAMES = {"games.engines": "tabularium_engines.engines"}


@pytest.mark.parametrize(
    ("source", "moved"),
    [
        ("from games.engines import law\n", "from tabularium_engines.engines import law\n"),
        (
            "from games.engines.law import (\n    cards,\n)\n",
            "from tabularium_engines.engines.law import (\n    cards,\n)\n",
        ),
        (
            "def f():\n    é = 1; from games.engines.law import cards\n",
            "def f():\n    é = 1; from tabularium_engines.engines.law import cards\n",
        ),
        ('files("games.engines.law")\n', 'files("tabularium_engines.engines.law")\n'),
    ],
)
def test_imports_and_names_of_modules_move(source: str, moved: str) -> None:
    assert move_imports(source, NEW_NAMES) == moved


@pytest.mark.parametrize(
    "source",
    [
        '"""from games.engines import law"""\n',
        "# from games.engines import law\n",
        'text = "games.engines has the rules"\n',
        "from games_engines import law\n",
        "from other.games.engines import law\n",
        "games = engines\n",
    ],
)
def test_all_else_stays(source: str) -> None:
    assert move_imports(source, NEW_NAMES) == source


@pytest.mark.parametrize(
    "source", ["from games import registry\n", "import games.engines.law\n", "import ai\n"]
)
def test_an_import_of_what_the_library_lacks_is_refused(source: str) -> None:
    with pytest.raises(CannotMove, match="line 1 imports"):
        move_imports(source, NEW_NAMES)
