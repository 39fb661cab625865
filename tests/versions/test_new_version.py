"""A version of the rules can be followed by another: in a scratch copy every game gets a next
version with another rule, and what was played by those before still answers, goes on and verifies.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tabularium_engines.installed.registry import ENGINES, Ruleset
from tests.versions.scratch_copy import ScratchCopy

pytestmark = pytest.mark.lane("builds")

# a changed rule for each game: the file, the old text, the new one
CHANGES: Final[Mapping[str, tuple[str, str, str]]] = {
    "law_of_the_dice": (
        "scoring.py",
        "MAX_COUNTS: Final[i64] = 200",
        "MAX_COUNTS: Final[i64] = 2",
    ),
    "duel_edged_sword": (
        "round_setup.py",
        "CARDS_PER_ROW: Final[i64] = 5",
        "CARDS_PER_ROW: Final[i64] = 4",
    ),
    "duality": ("game_logic.py", "MAX_ACTIONS: Final[i64] = 300", "MAX_ACTIONS: Final[i64] = 20"),
    "law": (
        "game_logic.py",
        "MAX_ROUNDS_WITHOUT_LAW: Final[i64] = 50",
        "MAX_ROUNDS_WITHOUT_LAW: Final[i64] = 1",
    ),
    "duel_of_law": (
        "game_logic.py",
        "CARDS_PER_DRAW: Final[i64] = 6",
        "CARDS_PER_DRAW: Final[i64] = 5",
    ),
}
DIGESTS: Final = """
import json
from ai.bot_registry import code_digest
from tabularium_engines.installed.registry import RULESETS, ruleset_digest
print(json.dumps({str(r): [ruleset_digest(*r), code_digest(*r)] for r in RULESETS}))
"""
REPLAY_UNDER_NEWEST = """
from tabularium_engines.common.replayable_log import BrokenLog, from_lines, replay
from tabularium_engines.installed.registry import ENGINES
from tests.golden.book import GOLDEN
for slug, engine in ENGINES.items():
    broken = 0
    for path in (GOLDEN / slug / f"v{engine.about.version - 1}").glob("*.jsonl"):
        game = from_lines(path.read_text().splitlines())
        try:
            list(replay(engine, game))
        except BrokenLog:
            broken += 1
    assert broken, slug
"""

KEEP_PROMISES = """
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.promises import PROMISES
for engine in ENGINES.values():
    for keep in PROMISES.values():
        keep(engine, engine.about.options(), engine.about.seats[0], 1, 10)
"""


class Bumped(NamedTuple):
    """A copy with stored games, in which every game has a next version."""

    copy: ScratchCopy
    stored: Path
    same_rules: dict[str, list[str]]  # the digests of each ruleset before the rules of …
    changed_rules: dict[str, list[str]]  # … the newest version are changed, and afterwards


@pytest.fixture(scope="module")
def bumped(tmp_path_factory: pytest.TempPathFactory) -> Bumped:
    """The copy, with a changed rule in each newest version."""
    copy = ScratchCopy(tmp_path_factory.mktemp("project"))
    stored = copy.root / "games.json"
    copy.run("-m", "tests.versions.stored_games", "write", str(stored))
    copy.run("manage.py", "new_version", *ENGINES)
    same_rules = json.loads(copy.run("-c", DIGESTS))
    for slug, (file, old, new) in CHANGES.items():
        copy.replace(f"tabularium_engines/{slug}/{file}", old, new)
    return Bumped(copy, stored, same_rules, json.loads(copy.run("-c", DIGESTS)))


def test_every_game_has_a_changed_rule() -> None:
    assert set(CHANGES) == set(ENGINES)


def test_a_digest_is_of_one_version(bumped: Bumped) -> None:
    newest = {str(Ruleset(slug, engine.about.version + 1)) for slug, engine in ENGINES.items()}
    for ruleset, digests in bumped.same_rules.items():
        is_changed = [
            digest != before
            for digest, before in zip(bumped.changed_rules[ruleset], digests, strict=True)
        ]
        assert is_changed == [ruleset in newest] * 2


def test_the_next_versions_keep_their_promises(bumped: Bumped) -> None:
    bumped.copy.run("-c", KEEP_PROMISES)


def test_all_versions_replay_their_golden_games(bumped: Bumped) -> None:
    bumped.copy.run("-c", REPLAY_UNDER_NEWEST)
    bumped.copy.run("-m", "tests.golden", *ENGINES)
    bumped.copy.run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/engines/test_golden.py")


def test_stored_games_answer_and_go_on(bumped: Bumped) -> None:
    bumped.copy.run("-m", "tests.versions.stored_games", "check", str(bumped.stored))
