"""A typed client can be generated from the OpenAPI document, with natural names, and plays a whole
game."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests import warm_interpreter
from tests.api.contract import contract
from tests.api.streams.serving import Web
from tests.databases import ROOT, Kept

HERE: Final = Path(__file__).parent
MAKER: Final = Path(sys.executable).with_name("openapi-python-client")


@pytest.fixture(scope="module")
def client_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generated client."""
    folder = tmp_path_factory.mktemp("made")
    subprocess.run(
        [
            *(str(MAKER), "generate", "--path", str(ROOT / "api/openapi.yaml")),
            *("--output-path", str(folder / "generated_client"), "--meta", "none"),
            *("--config", str(HERE / "config.yaml")),
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    return folder


@pytest.fixture(scope="module")
def web(shared_kept: Kept) -> Iterator[Web]:
    """A server."""
    server = Web(shared_kept)
    yield server
    server.close()


def test_it_has_a_function_for_each_operation(client_folder: Path) -> None:
    functions = {path.stem for path in (client_folder / "generated_client/api").glob("*/*.py")}
    sends_lines = {"verify_export", "import_game"}  # the generator skips NDJSON bodies
    assert functions - {"__init__"} >= contract().operations.keys() - sends_lines


def test_no_class_is_called_by_where_it_was_found(client_folder: Path) -> None:
    models = (client_folder / "generated_client/models/__init__.py").read_text()
    assert not re.findall(r'"\w+(?:Type\d+|Item|Response200|Body)"', models.replace("NewsItem", ""))


def test_it_plays_every_game(client_folder: Path, web: Web, slug: str) -> None:
    process = warm_interpreter.run(
        [sys.executable, str(HERE / "player.py"), f"http://127.0.0.1:{web.port}", slug],
        env={**os.environ, "PYTHONPATH": str(client_folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout.strip().endswith(".")
