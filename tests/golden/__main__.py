"""Rewrite the golden games of a ruleset: `python -m tests.golden GAME`, or `make golden GAME=…`.

A game is a slug, or the path of a game in one file, whose golden games lie beside it. They belong
to the current version of the rules, in a folder of its own; those of older versions are never
rewritten, because they must stay replayable.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tabularium_engines.base import AnyEngine
from tabularium_engines.common.replayable_log import to_lines
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.promises.random_games import play
from tests.examples.small_games import load_file
from tests.golden.book import GoldenGame, folder, folder_beside, pictures, planned


def write(engine: AnyEngine, target: Path) -> None:
    """Write all golden games of the current version."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for golden in planned(engine):
        write_game(engine, golden, target)


def write_game(engine: AnyEngine, golden: GoldenGame, target: Path) -> None:
    """Write the log of a game, its outcome, and its pictures."""
    game = play(engine, golden.options, golden.seats, golden.seed)
    lines = "".join(f"{line}\n" for line in to_lines(game.log))
    (target / f"{golden.name}.jsonl").write_text(lines, encoding="utf-8")
    for name, page in pictures(engine, golden.name, [p.state for p in game.positions]):
        (target / name).write_text(page, encoding="utf-8")


def find_game(name: str) -> tuple[AnyEngine, Path]:
    """The engine of a game, and the folder of its golden games."""
    file = Path(name)
    if file.suffix == ".py" and file.is_file():
        engine = load_file(file)
        return engine, folder_beside(file, engine)
    if name not in ENGINES:
        sys.exit(f"{name} is no game: name one of {', '.join(ENGINES)}, or the file of a game.")
    return ENGINES[name], folder(ENGINES[name])


def main() -> None:
    """Write the golden games of all games that are named."""
    if not sys.argv[1:]:
        sys.exit(f"Say which: python -m tests.golden {'|'.join(ENGINES)}|FILE")
    for game in list(map(find_game, sys.argv[1:])):
        write(*game)


if __name__ == "__main__":
    main()
