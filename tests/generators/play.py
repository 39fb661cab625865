"""Let each generated client play a whole game of every ruleset on the server at TABULARIUM_URL."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Final

from tabularium_engines.installed.registry import ENGINES
from tests.api.clients.generating import EARLIER, HERE, TABLES, environment
from tests.generators.__main__ import BUILD, PYTHON_CLIENT, PYTHON_PLAYER, level_folder

BOT: Final = "random"


def main(address: str) -> int:
    """The number of players that failed."""
    python = [[sys.executable, str(PYTHON_PLAYER), address, slug, BOT] for slug in ENGINES]
    commands = [
        ["node", str(BUILD / "js/openapi_fetch.js"), address],
        ["node", str(BUILD / "js/hey_api.js"), address],
        [str(BUILD / "go-player/player"), address],
        *python,
    ]
    players = [subprocess.Popen(command, env=environment(PYTHON_CLIENT)) for command in commands]
    earlier = [sys.executable, str(HERE / "whole_games.py"), address, json.dumps(TABLES)]
    players += [
        subprocess.Popen(earlier, env=environment(level_folder(level))) for level in EARLIER
    ]
    return sum(player.wait() != 0 for player in players)


if __name__ == "__main__":
    sys.exit(main(os.environ["TABULARIUM_URL"]))
