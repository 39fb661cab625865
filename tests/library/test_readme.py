"""The READMEs of the wheels are accurate: their examples run with the installed wheels."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from release.wheels import PACKAGES
from tabularium_engines.adapters.action_space import action_space
from tabularium_engines.adapters.observation import Observer
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tabularium_engines.installed.registry import RULESETS, Ruleset
from tests.docs.pages import Block, blocks
from tests.games.audit.making import new_plan, play_plan
from tests.library.test_wheel import build_wheels, unpack
from tests.support.missing_requirements import require_library
from tests.support.python_process import run_python

README = PROJECT_ROOT / "tabularium_engines" / "README.md"
BLOCKS = [block for package in PACKAGES for block in blocks(PROJECT_ROOT / package / "README.md")]
PRINTING = [block for block in BLOCKS if block.language != "sh"]
EXAMPLES = list(zip(PRINTING[::2], PRINTING[1::2], strict=True))  # each with its output
COMMANDS = [line for block in BLOCKS if block.language == "sh" for line in block.text.splitlines()]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed packages, and with the export of a game."""
    wheels = build_wheels(tmp_path_factory.mktemp("wheels"), "--interpreted")
    folder = tmp_path_factory.mktemp("installed")
    unpack(wheels.values(), folder)
    game = play_plan(new_plan(RULESETS[Ruleset("law", 2)], 3, has_seeds=True))
    (folder / "game.ndjson").write_bytes(b"".join(game.lines()))
    return folder


@pytest.mark.lane("builds")
@pytest.mark.parametrize(("example", "output"), EXAMPLES)
def test_an_example_prints_its_output(example: Block, output: Block, installed: Path) -> None:
    assert (example.language, output.language) == ("python", "text")
    library = example.note.removeprefix("needs ")
    if library:
        require_library(library)
    process = run_python("-c", example.text, cwd=installed)
    assert process.stdout == output.text, process.stderr


@pytest.mark.lane("builds")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_works(command: str, installed: Path) -> None:
    line = command.replace("python ", f"{sys.executable} ")
    subprocess.run(["/bin/sh", "-euc", line], cwd=installed, check=True, capture_output=True)
    written = installed / command.rsplit(maxsplit=1)[-1]
    assert written.stat().st_size > len(command)


def test_the_table_has_the_sizes_of_every_game() -> None:
    text = README.read_text(encoding="utf-8")
    newest = dict(sorted(RULESETS))  # by slug, the last version
    for (slug, version), engine in RULESETS.items():
        title = engine.about.title
        name = title if version == newest[slug] else f"{title}, version {version}"
        (row,) = [line for line in text.splitlines() if line.startswith(f"| {name} |")]
        assert f"| {action_space(engine).size:,} " in row
        assert f"| {Observer(engine).size:,} |" in row
