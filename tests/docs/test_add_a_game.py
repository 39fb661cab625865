"""The page "Add a game" is followed from its first step to its last, in a copy of the project, on a
game that is in no tree; each step keeps its word.

The steps run as they stand, with interpreted rules. `make golden` runs its recipe without the
installation before it. Of the commands that the last step only names, `make compile`, `make check`,
`make soak`, `make bench` and `make openapi`, none is run: the step has the style and the tests of
this game alone, which play it over the API, too, and replay its golden games.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from ai.bot_registry import code_digest
from tabularium_engines.installed.registry import RULESETS, ruleset_digest
from tests.docs.verifier import DOCS
from tests.examples import guide

pytestmark = pytest.mark.lane("guides")

STEPS: Final = guide.tree_game_steps()
GAME: Final = "agram"
# what the steps change or run; a script that is only linked would find the project itself
COPIED: Final = frozenset(
    {"tabularium_engines", "ai", "games", "manage.py", "tests", "zensical.toml"}
)
DIGESTS: Final = """
import json
from ai.bot_registry import code_digest
from tabularium_engines.installed.registry import RULESETS, ruleset_digest
print(json.dumps({str(r): [ruleset_digest(*r), code_digest(*r)] for r in RULESETS}))
"""


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> guide.Workshop:
    """The folder in which the steps are followed, each after those before it."""
    folder = tmp_path_factory.mktemp("add-a-game")
    return guide.Workshop(folder, STEPS, COPIED, {"TABULARIUM_ENGINES": "interpreted"})


def test_the_game_is_in_no_tree() -> None:
    assert guide.tracked_files(f"*{GAME}*") == ""


def test_every_block_belongs_to_a_step() -> None:
    fences = (DOCS / "add-a-game.md").read_text(encoding="utf-8").count("\n```")
    assert 2 * sum(map(len, STEPS)) == fences


def test_the_steps_write_into_the_copy_alone() -> None:
    notes = [block.note.split() for step in STEPS for block in step if block.note]
    assert {verb for verb, _ in notes} == {"write", "change"}
    assert {Path(name).parts[0] for _, name in notes} <= COPIED


@pytest.mark.parametrize("number", range(1, len(STEPS) + 1))
def test_a_step_does_what_it_says(workshop: guide.Workshop, number: int) -> None:
    languages = [block.language for block in STEPS[number - 1]]
    assert languages.count("sh") <= languages.count("text") or number == len(STEPS)
    workshop.follow_steps(number)


def test_the_game_is_whole_and_changes_no_other(workshop: guide.Workshop) -> None:
    workshop.follow_steps(len(STEPS))
    digests = json.loads(workshop.run(f".venv/bin/python - <<END{DIGESTS}END"))
    assert len(digests.pop(f"{GAME} rules version 1")) == 2
    assert digests == {str(r): [ruleset_digest(*r), code_digest(*r)] for r in RULESETS}
    golden = workshop.checkout / "tests/golden" / GAME / "v1"
    assert len(list(golden.glob("*.jsonl"))) == 5
    assert list(golden.glob("*.svg"))


def test_a_change_of_other_lines_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("a\nb\n")
    guide.change_file(file, " a\n-b\n+c\n+d\n")
    assert file.read_text() == "a\nc\nd\n"
    with pytest.raises(AssertionError, match="b"):
        guide.change_file(file, " a\n-b\n+c\n")
