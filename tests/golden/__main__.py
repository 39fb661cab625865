"""Rewrite the golden games of a ruleset: `python -m tests.golden GAME`, or `make golden GAME=…`.

Golden games belong to the current version of the rules, in a folder of its own; those of older
versions are never rewritten, because they must stay replayable.
"""

from __future__ import annotations

import shutil
import sys
from typing import Any

from games.engines.base import Engine
from games.engines.common.replayable_log import to_lines
from games.promises.random_games import play
from games.registry import ENGINES
from tests.golden.book import GoldenGame, folder, pictures, planned


def write(slug: str) -> None:
    """Write all golden games of the current version."""
    engine = ENGINES[slug]
    target = folder(engine)
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for golden in planned(engine):
        write_game(engine, golden)


def write_game(engine: Engine[Any, Any], golden: GoldenGame) -> None:
    """Write the log of a game, its outcome, and its pictures."""
    target = folder(engine)
    game = play(engine, golden.options, golden.seats, golden.seed)
    lines = "".join(f"{line}\n" for line in to_lines(game.log))
    (target / f"{golden.name}.jsonl").write_text(lines, encoding="utf-8")
    for name, page in pictures(engine, golden.name, [p.state for p in game.positions]):
        (target / name).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] and set(sys.argv[1:]) <= set(ENGINES):
        for wanted in sys.argv[1:]:
            write(wanted)
    else:
        sys.exit(f"Say which: python -m tests.golden {'|'.join(ENGINES)}")
