"""The games in one file as contestants: each as a compiled package and as its source, and Connect
Four on the engine contract, which is the raw engine of the same game as Four in a Row."""

from __future__ import annotations

import importlib.util
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from bench.worker import Round, Task
from tabularium_engines.base import State
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tabularium_engines.common.random_generators import FastRng

PACKAGE_FOLDER: Final = PROJECT_ROOT / "packages"  # in the benchmark's tree
SMALL_GAMES: Final = ("kuhn_poker", "four_in_a_row")
GAMES_PER_ROUND: Final = 20
TASKS: Final[dict[str, Task]] = {}


def rounds() -> dict[str, Round]:
    """All rounds; the unit is a random game."""
    sys.path.append(str(PACKAGE_FOLDER))
    raw: State = import_module("tabularium_engines.connect_four").ConnectFour()
    named_rounds = {"raw_playouts": playout_round(raw)}
    for name in SMALL_GAMES:
        named_rounds[f"{name}_compiled"] = playout_round(first_state(import_module(name)))
        named_rounds[f"{name}_source"] = playout_round(first_state(load_source(name)))
    return named_rounds


def playout_round(root: State) -> Round:
    """Random games from one position."""
    play_many, rng = import_module("tabularium_engines.search.play_many").play_many, FastRng(1)

    def play() -> float:
        play_many(root, GAMES_PER_ROUND, rng)
        return GAMES_PER_ROUND

    return play


def first_state(module: Any) -> State:
    """The deal of a game."""
    engine = module.ENGINES[-1]
    state: State = engine.start(engine.about.options(), 2, FastRng(1))
    return state


def load_source(name: str) -> Any:
    """The module of a game from its source, under a name of its own."""
    file = Path(PACKAGE_FOLDER, f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"{name}_source", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
