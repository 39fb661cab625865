"""`python -m ai.game_transcript GAME COUNT`: the transcript of seeded games of a package, at every
table: one line of JSON per step, for promise 13."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES

from ai import game_check
from tabularium_engines.installed import plugins
from tabularium_engines.promises.transcripts import table_transcript
from tabularium_engines.promises.variants import tables


def transcript(target: str, count: int) -> Iterator[str]:
    """The lines; the first says whether modules of the game are compiled."""
    games = game_check.load_games(target)
    yield json.dumps({"mode": build_mode([game.module for game in games])})
    for game in games:
        for table in [table for engine in game.engines for table in tables(engine)]:
            for seed in range(count):
                for line in table_transcript(table, seed):
                    yield json.dumps(line)


def build_mode(modules: list[str]) -> str:
    """ "compiled" if a module of these packages is; otherwise "interpreted"."""
    names = [name for module in modules for name in plugins.plugin_paths(module)]
    files = [str(sys.modules[name].__file__) for name in names if name in sys.modules]
    is_compiled = any(file.endswith(tuple(EXTENSION_SUFFIXES)) for file in files)
    return "compiled" if is_compiled else "interpreted"


if __name__ == "__main__":
    for transcript_line in transcript(sys.argv[1], int(sys.argv[2])):
        sys.stdout.write(transcript_line + "\n")
