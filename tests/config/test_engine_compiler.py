"""The compiler of the engines, beside a server and by itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from config import engine_compiler
from tabularium_engines.builds import compiled_engines

pytestmark = pytest.mark.lane("builds")

ROOT: Final = Path(__file__).parents[2]
NICENESS_AFTER: Final = (
    "import os\nfrom config import engine_compiler as compiler\n"
    "compiler.lower_priority()\nprint(os.nice(0))\n"
)


@pytest.fixture
def no_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """There is no build of these sources, here or in the cache."""
    monkeypatch.setattr(compiled_engines, "own_build", lambda: tmp_path / "none")
    monkeypatch.setattr(compiled_engines, "take_cached_build", lambda target: False)


@pytest.mark.usefixtures("no_build")
def test_without_a_c_compiler_it_says_so_and_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    engine_compiler.main()
    assert capsys.readouterr().out == f"{compiled_engines.NO_COMPILER}\n"


def test_everything_else_comes_first() -> None:
    process = subprocess.run(
        [sys.executable, "-c", NICENESS_AFTER],
        cwd=ROOT,
        start_new_session=True,  # Linux lowers the priority of a whole session
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout == "19\n"


@pytest.mark.usefixtures("no_build")
def test_without_mypyc_it_is_there_for_that_time_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = list[tuple[str, ...]]()

    def run(*command: str, **variables: str) -> None:
        folder = variables.get("PYTHONPATH", command[-1])
        steps.append((command[0], folder))
        assert Path(folder).is_dir() or command == engine_compiler.COMPILE

    monkeypatch.setattr(engine_compiler, "run", run)
    engine_compiler.main()
    assert steps == [("setup", "compile")], "mypyc is here"
    monkeypatch.setattr(compiled_engines, "installed_compiler", lambda: "")
    engine_compiler.main()
    (_, (module, folder), (last, same)) = steps
    assert (module, last, same) == ("pip", "setup", folder)
    assert not Path(folder).exists()


def test_a_step_that_fails_ends_it_with_a_sentence() -> None:
    with pytest.raises(SystemExit, match=r"run interpreted: json\.tool ended with exit code \d"):
        engine_compiler.run("json.tool", "no-such-file")


def test_it_installs_as_make_does() -> None:
    assert f"-m {engine_compiler.PIP}\n" in (ROOT / "Makefile").read_text()
