"""`manage.py check_game`: it finds a game by its file, folder or module, names each broken promise
with the lines of the rules that break it, and records the promises kept."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path
from typing import Final

import pytest
from django.core.management import CommandError, call_command

from ai import game_check
from tabularium_engines.installed import promise_record
from tabularium_engines.installed.plugins import PluginRefused
from tabularium_engines.installed.registry import ENGINES, ruleset_of, sources_digest
from tabularium_engines.promises import PROMISES
from tabularium_engines.promises.transcripts import promise_13
from tabularium_engines.promises.variants import tables
from tests.examples import small_games
from tests.support.missing_requirements import require_compiler

KUHN: Final = small_games.game_file("kuhn_poker").read_text()
LOW_BOUND: Final = ("max_actions=3", "max_actions=1")
FAULT: Final = ("self.coins[seat] += int(action)", "self.coins[seat + 2] += int(action)")

RARE_FAULT: Final = (FAULT[0], "self.coins[seat + 2 * (self.hands == [[0], [1]])] += int(action)")


@pytest.fixture(autouse=True)
def _own_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command puts the folder of the game on the path, which ends with the test."""
    monkeypatch.setattr(sys, "path", [*sys.path])


def write_game(folder: Path, module: str, *changes: tuple[str, str]) -> Path:
    """A file with Kuhn poker under another name, with some text replaced."""
    source = KUHN
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    path = folder / f"{module}.py"
    path.write_text(source)
    return path


def check(*arguments: object) -> str:
    """The output of the command, which must find every promise kept."""
    output = io.StringIO()
    call_command("check_game", *map(str, arguments), "--games", "1", stdout=output)
    return output.getvalue()


def check_broken(path: Path, *arguments: str) -> tuple[str, str]:
    """The output of the command for a game that breaks promises, and its last sentence."""
    output = io.StringIO()
    with pytest.raises(CommandError) as error:
        call_command("check_game", str(path), "--games", "1", *arguments, stdout=output)
    assert error.value.returncode == 1
    return output.getvalue(), str(error.value)


def refusal(target: object) -> str:
    """The sentence with which the command refuses a target."""
    with pytest.raises(CommandError) as error:
        check(target)
    return str(error.value)


def test_the_numbers_of_the_promises_are_known_without_them() -> None:
    assert tuple(PROMISES) == promise_record.PROMISE_NUMBERS


def test_a_file_that_keeps_them_all(tmp_path: Path) -> None:
    output = check(write_game(tmp_path, "kuhn_as_file"))
    lines = output.splitlines()
    assert lines[-1] == "All 16 promises are kept."
    assert lines[-2] == f"17 kept    {game_check.promise_sentence(PROMISES[17])}"


def test_a_project_folder_a_package_and_a_module(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "src" / "kuhn_as_package").mkdir(parents=True)
    package = project / "src" / "kuhn_as_package"
    write_game(tmp_path, "kuhn_as_file").rename(package / "__init__.py")
    point = '[project.entry-points."tabularium.games"]\nkuhn = "kuhn_as_package:ENGINES"\n'
    (project / "pyproject.toml").write_text(f'[project]\nname = "kuhn"\n{point}')
    for target in (project, package, "kuhn_as_package"):
        assert check(target).endswith("All 16 promises are kept.\n")


def test_a_broken_promise_is_named_with_the_game_that_breaks_it(tmp_path: Path) -> None:
    output, sentence = check_broken(write_game(tmp_path, "kuhn_too_long", LOW_BOUND))
    assert sentence == "Broken: 5."
    assert f" 5 broken  {game_check.promise_sentence(PROMISES[5])}\n" in output
    assert "at the table kuhn_poker-2-default, seed 0: it took " in output
    assert f" 4 kept    {game_check.promise_sentence(PROMISES[4])}\n" in output


def test_a_fault_that_few_games_meet_is_found(tmp_path: Path) -> None:
    """A short game is played more often than asked: three games of Kuhn poker miss this fault."""
    path = write_game(tmp_path, "kuhn_rare", RARE_FAULT)
    output, _ = check_broken(path)
    first = next(line for line in output.splitlines() if "seed " in line)
    assert "at the table kuhn_poker-2-default, seed 8: " in first


def test_a_rule_that_raises_is_named_by_its_line(tmp_path: Path) -> None:
    path = write_game(tmp_path, "kuhn_raising", FAULT)
    output, sentence = check_broken(path)
    line = path.read_text().splitlines().index(f"        {FAULT[1]}") + 1
    assert f"  kuhn_raising.py:{line} in play: {FAULT[1]}\n" in output
    assert "raised IndexError('list index out of range')" in output
    assert sentence.startswith("Broken: 1, 2, 3, ")
    assert "management" not in output


def test_a_target_that_is_no_game_is_refused(tmp_path: Path) -> None:
    assert "is no file, no folder with" in refusal(tmp_path)
    assert "is no file, no folder with" in refusal("no_such_package.rules")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "empty"\n')
    assert refusal(tmp_path).endswith("has no entry point tabularium.games.")
    (tmp_path / "game_without_engines.py").write_text("ENGINES = ()\n")
    assert "brings no engine" in refusal(tmp_path / "game_without_engines.py")
    (tmp_path / "game_with_fault.py").write_text("ENGINES = (1 / 0,)\n")
    assert "game_with_fault.py:1 in <module>: ENGINES" in refusal(tmp_path / "game_with_fault.py")


def test_a_file_that_another_module_hides_is_refused(tmp_path: Path) -> None:
    path = write_game(tmp_path, "kuhn_hidden")
    check(path)
    (tmp_path / "other").mkdir()
    hidden = write_game(tmp_path / "other", "kuhn_hidden")
    assert refusal(hidden).startswith(f"{hidden} is not what is imported as kuhn_hidden, but ")


def test_rules_that_reach_outside_are_refused(tmp_path: Path) -> None:
    path = write_game(
        tmp_path, "kuhn_random", ("from dataclasses", "import random\nfrom dataclasses")
    )
    with pytest.raises(PluginRefused, match="kuhn_random imports random"):
        check(path)


# -- the record ------------------------------------------------------------------------------------


def is_proven(path: Path) -> bool:
    """Whether the record beside a game in one file fits its source."""
    (engine,) = sys.modules[path.stem].ENGINES
    digest = sources_digest([path.stem])
    return promise_record.is_proven(path.stem, str(ruleset_of(engine)), digest)


def test_a_recorded_game_is_proven_until_it_is_edited(tmp_path: Path) -> None:
    path = write_game(tmp_path, "kuhn_recorded")
    check(path)
    assert not is_proven(path)
    assert check(path, "--record").endswith(
        "Recorded in kuhn_recorded_promises.py.\nAll 16 promises are kept.\n"
    )
    assert is_proven(path)
    source = path.read_text()
    path.write_text(source.replace("0.5 + gain / 4", "0.5 + gain / 8"))
    assert not is_proven(path)
    path.write_text(source)
    assert is_proven(path)


def test_other_promises_make_it_unproven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_game(tmp_path, "kuhn_of_old")
    check(path, "--record")
    assert is_proven(path)
    monkeypatch.setattr(promise_record, "promises_digest", lambda: "later")
    assert not is_proven(path)


def test_a_game_that_breaks_a_promise_is_recorded_as_unproven(tmp_path: Path) -> None:
    path = write_game(tmp_path, "kuhn_recorded_broken", LOW_BOUND)
    check_broken(path, "--record")
    record = tmp_path / "kuhn_recorded_broken_promises.py"
    assert '"promises": [1, 2, 3, 4, 6, ' in record.read_text()
    assert not is_proven(path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "RECORD = 1",
        "RECORD = {{",
        "RECORD = open('x')",
        "RECORD = {{'{0}': 1}}",
        "OTHER = {{}}",
    ],
)
def test_a_record_that_cannot_be_read_proves_nothing(tmp_path: Path, text: str) -> None:
    path = write_game(tmp_path, "kuhn_misread")
    sys.modules.pop(path.stem, None)
    check(path)
    text = text.format("kuhn_poker rules version 1")
    (tmp_path / "kuhn_misread_promises.py").write_text(text)
    assert not is_proven(path)


@pytest.mark.lane("builds", core=1)
@pytest.mark.parametrize("name", small_games.SMALL_GAMES)
def test_the_record_of_an_example_is_that_of_its_source(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If not, `manage.py check_game examples/… --record` writes it again."""
    shutil.copytree(small_games.EXAMPLES / name, tmp_path / name)
    record = tmp_path / name / f"{name}_promises.py"
    shipped = record.read_text()
    loaded = small_games.load_engine(name)
    with monkeypatch.context() as patch:
        patch.delitem(sys.modules, name)
        check(tmp_path / name, "--record")
    assert sys.modules[name].ENGINES[-1] is loaded  # other tests go on with this one
    assert record.read_text() == shipped


# -- both builds -----------------------------------------------------------------------------------


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The folder of a new game with several modules, to be compiled."""
    require_compiler()
    for name in [name for name in sys.modules if name.partition(".")[0] == "two_builds"]:
        del sys.modules[name]
    output = io.StringIO()
    call_command("new_game", "two_builds", "--folder", "--into", str(tmp_path), stdout=output)
    return tmp_path / "two_builds"


@pytest.mark.lane("builds")
def test_compiled_and_interpreted_rules_are_compared_and_recorded(package: Path) -> None:
    output = check(package, "--compiled", "--record")
    sentence = game_check.promise_sentence(promise_13)
    assert f"13 kept    {sentence}\n" in output
    assert output.endswith("All 17 promises are kept.\n")
    assert "13, 14, 15, 16, 17]" in (package / "two_builds" / "kept_promises.py").read_text()


@pytest.mark.lane("builds")
def test_builds_that_differ_are_named_by_the_first_step(package: Path) -> None:
    path = package / "two_builds" / "game_logic.py"
    source = path.read_text()
    deck = "range(len(CARD_NAMES))"
    assert deck in source
    path.write_text(source.replace(deck, f"{deck[:-1]} - __file__.endswith('.so'))"))
    output, sentence = check_broken(package, "--compiled")
    assert sentence == "Broken: 13."
    assert "table two_builds-2-default, game 0, seq 1: they differ in " in output


@pytest.mark.lane("builds")
def test_a_game_in_one_file_is_compiled_whole(tmp_path: Path) -> None:
    require_compiler()
    output = check(write_game(tmp_path, "kuhn_alone"), "--compiled")
    assert output.endswith("All 17 promises are kept.\n")


def test_without_a_compiler_nothing_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(CommandError, match="There is no C compiler that finds Python's headers"):
        check(write_game(tmp_path, "kuhn_uncompiled"), "--compiled")


@pytest.mark.lane("builds")
def test_a_game_that_cannot_be_compiled_is_refused(package: Path) -> None:
    with (package / "two_builds" / "cards.py").open("a") as file:
        file.write("NUMBER: Final[int] = str()\n")
    with pytest.raises(CommandError, match=r"mypyc cannot compile (?s:.*)Incompatible types"):
        check(package, "--compiled")


def test_a_game_of_this_project_is_checked_by_its_slug(monkeypatch: pytest.MonkeyPatch) -> None:
    """At one table: `tests/engines/test_conformance.py` checks its promises at all of them."""
    (first, *_) = tables(ENGINES["duality"])
    monkeypatch.setattr(game_check, "tables", lambda engine: [first])
    assert check("duality").endswith("All 16 promises are kept.\n")
    with pytest.raises(CommandError, match="are for games of other packages"):
        check("duality", "--record")
