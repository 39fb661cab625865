"""Exports replayed by an installed library, as a program that sees the library and the packages of
its extra `replay` alone: it prints digests of all that was seen and done, as JSON.

Arguments: the folder of the library, the folder of these packages, and the exports.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from importlib import import_module
from typing import Any, Final

PROJECT_PACKAGES: Final = (
    "games",
    "ai",
    "api",
    "config",
    "jobs",
    "record",
    "web",
    "django",
)


def digest_of_game(game: Any) -> dict[str, str]:
    """Digests of the decisions of a game, and of its pictures as each viewer saw the end."""
    decisions = json.dumps([decision.to_json() for decision in game.decisions()])
    pictures = "".join(game.picture(seat) for seat in (*range(game.seats), None))
    texts = {"decisions": decisions, "pictures": pictures}
    return {name: sha256(text.encode()).hexdigest() for name, text in texts.items()}


def main() -> None:
    """Replay the exports with the installed library, and print the report."""
    library, packages, *exports = sys.argv[1:]
    sys.path[:0] = [library, packages]
    replay = import_module("tabularium_log.replay").replay
    games = [digest_of_game(replay(export)) for export in exports]
    roots = {name.partition(".")[0] for name in sys.modules}
    foreign = sorted(roots.intersection(PROJECT_PACKAGES))
    sys.stdout.write(json.dumps({"foreign": foreign, "games": games}))


if __name__ == "__main__":
    main()
