"""Generated clients: openapi-python-client, whose version is pinned, makes the same client of a
document each time, so that documents are kept instead of clients."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

from api import api_level
from tests.clients.short_tables import SHORT_TABLES
from tests.support.databases import ROOT

HERE: Final = Path(__file__).parent
TABLES: Final = [  # a short game of each ruleset against bots
    {"rules": slug, "seats": table.seats, "options": table.options}
    for slug, table in SHORT_TABLES.items()
]
# The generator copies all of the document's models to sort the parameters of an operation, which is
# four fifths of its time. A flat copy gives the same client.
MAKER: Final = """
from copy import copy
from openapi_python_client import cli
from openapi_python_client.parser import openapi
openapi.deepcopy = copy
cli.app()
"""
SETTINGS: Final[dict[str, list[dict[str, Any]]]] = tomllib.loads(
    (ROOT / "tests/generators/settings.toml").read_text(encoding="utf-8")
)
KEPT_LEVELS: Final = 2
RELEASED: Final = len(api_level.released_levels())
EARLIER: Final = range(RELEASED - KEPT_LEVELS + 1, RELEASED + 1)  # levels whose clients play


def generate(document: dict[str, Any], folder: Path) -> str:
    """Write a client into a folder, from JSON, which is read faster than YAML; returns the
    warnings."""
    source = folder / "openapi.json"
    source.write_text(json.dumps(document), encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-c", MAKER, "generate"),
            *("--path", str(source), "--meta", "none"),
            *("--output-path", str(folder / "generated_client")),
            *("--config", str(settings_file("openapi-python-client", folder))),
        ],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr


def settings_file(generator: str, folder: Path) -> Path:
    """A file in the folder with the settings of a generator that are not its defaults."""
    file = folder / "settings.json"
    settings = {setting["name"]: setting["value"] for setting in SETTINGS[generator]}
    file.write_text(json.dumps(settings), encoding="utf-8")
    return file


def environment(folder: Path) -> dict[str, str]:
    """The environment of a program that uses the client in a folder."""
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
