"""The command `tabularium` of an installed package: as `manage.py`, with its data in the user's
folder unless `TABULARIUM_DATA` names another."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from django.core.management import execute_from_command_line


def main() -> None:
    """Hand the command line to Django."""
    shared = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("TABULARIUM_DATA", str(Path(shared, "tabularium")))
    execute_from_command_line(sys.argv)
