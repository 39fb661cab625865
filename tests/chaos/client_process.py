"""The process of a client: `python -m tests.chaos.client_process <journal> <game>:<seat> …`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import django

POLL_INTERVAL: Final = 0.1  # seconds between two polls of the tables


def main(arguments: list[str]) -> None:
    """Play those seats."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from tests.chaos.client import play

    journal, *game_seats = arguments
    pairs = [argument.rpartition(":") for argument in game_seats]
    play(Path(journal), [(game, int(seat)) for game, _, seat in pairs], POLL_INTERVAL)


if __name__ == "__main__":
    main(sys.argv[1:])
