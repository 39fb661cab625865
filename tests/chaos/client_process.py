"""The process of a client: `python -m tests.chaos.client_process <journal> <game>:<seat> …`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import django

PAUSE: Final = 0.1  # seconds between two polls of the tables


def main(arguments: list[str]) -> None:
    """Play those seats."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from tests.chaos.client import play

    journal, *places = arguments
    pairs = [place.rpartition(":") for place in places]
    play(Path(journal), [(game, int(seat)) for game, _, seat in pairs], PAUSE)


if __name__ == "__main__":
    main(sys.argv[1:])
