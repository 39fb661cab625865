"""Fuzzing with schemathesis, in its fuzzing and stateful phases: no request that fits the document,
or nearly does, makes the server fail or answer in a way that the document does not describe."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from tests.api.streams.serving import Web
from tests.games.sitting import SLUG
from tests.support.databases import ROOT, Kept

ELSEWHERE: Final = "/(stream|verifications|import)$"  # endless, or no JSON: see their own tests
# A request of the right shape may still name objects that do not exist, or break the rules of the
# game: but nothing that fits the document is answered 400.
SETTINGS: Final = """
[checks.positive_data_acceptance]
expected-statuses = [
  "2xx", "304", "401", "403", "404", "406", "409", "410", "413", "422", "428", "503",
]
"""
TEN_MINUTES: Final = "600"


@pytest.fixture
def web(kept: Kept) -> Iterator[Web]:
    """A server of this test's own."""
    server = Web(kept)
    yield server
    server.close()


def prepare_server(web: Web) -> tuple[str, dict[str, Any]]:
    """A key, and existing values: games in every phase, and a spare key."""
    secret = web.ask("POST", "/guests", body={})[2]["secret"]
    key = web.ask("POST", "/me/keys", secret, {})[2]["key"]["id"]
    games = []
    for kinds in (("me", "me"), ("me", "me"), ("me", "me"), ("me", "open"), ("me", "open")):
        body = {"rules": SLUG, "seats": [{"kind": kind} for kind in kinds]}
        games.append(web.ask("POST", "/games", secret, body)[2]["id"])
    web.ask("POST", f"/games/{games[0]}/resign", secret, {"seat": 0})
    seqs = [str(seq) for seq in range(1, 6)]
    parts = ["options", "action", "view"]
    values = {"slug": [SLUG], "part": parts, "code": ["not-found"], "seq": seqs}
    return secret, {"game": games, "key": [key], **values}


def run_fuzzer(web: Web, folder: Path, *options: str) -> str:
    """The output of schemathesis, which must find no failure."""
    secret, existing = prepare_server(web)
    (folder / "existing.json").write_bytes(orjson.dumps(existing))
    (folder / "schemathesis.toml").write_text(SETTINGS)
    address = f"http://127.0.0.1:{web.port}"
    process = subprocess.run(
        [
            *(str(Path(sys.executable).with_name("schemathesis")), "run"),
            *(f"{address}/api/v1/openapi.json", "--url", address),
            *("--header", f"Authorization: Bearer {secret}"),
            *("--exclude-path-regex", ELSEWHERE, "--generation-database", "none", "--no-color"),
            # how fast examples are generated depends on the load of the machine
            *("--suppress-health-check", "too_slow"),
            *options,
        ],
        cwd=folder,
        env={
            **os.environ,
            "SCHEMATHESIS_HOOKS": "tests.api.fuzzing",
            "PYTHONPATH": str(ROOT),
            "EXISTING": str(folder / "existing.json"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


@pytest.mark.lane("processes")
def test_nothing_that_is_sent_makes_it_fail(web: Web, tmp_path: Path) -> None:
    phases = ("--phases", "fuzzing,stateful", "--max-examples", "12")
    output = run_fuzzer(web, tmp_path, *phases, "--seed", "1")
    generated, passed = re.findall(r"(\d+) generated, (\d+) passed", output)[0]
    assert int(generated) == int(passed) >= 300, output
    assert web.is_answering()


@pytest.mark.soak
def test_nothing_that_is_sent_in_ten_minutes_makes_it_fail(web: Web, tmp_path: Path) -> None:
    """All phases and modes, with all checks."""
    output = run_fuzzer(
        web, tmp_path, "--max-time", TEN_MINUTES, "--mode", "all", "--generation-allow-x00", "true"
    )
    generated, passed = re.findall(r"(\d+) generated, (\d+) passed", output)[0]
    assert int(generated) == int(passed) >= 2_000, output
    assert web.is_answering()
