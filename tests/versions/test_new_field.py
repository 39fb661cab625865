"""A new public field of a large game is edited in three places: where a part of the state declares
it, where the part is cloned, and in the view. Contents, conversions to the view and back, schemas
and equality follow. In a scratch copy every game gets such a field.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tabularium_engines.installed.registry import ENGINES
from tests.versions.scratch_copy import ScratchCopy

pytestmark = pytest.mark.lane("builds")

MOST_PLACES: Final = 3
DECLARED: Final = "        self.{name}: i64 = 0\n"
CLONED: Final = "        copy.{name} = self.{name}\n"
SHOWN: Final = "    {name}: int  #: a field\n"

RETURNED_COPY: Final = (
    "        return HiddenCards(self.hands[:], self.known[:], self.barred[:], self.pile)\n"
)
NAMED_COPY: Final = RETURNED_COPY.replace("return", "copy =")


class Edit(NamedTuple):
    """Lines of a file that are replaced."""

    file: str
    old: str
    new: str


def added(file: str, old: str, line: str) -> Edit:
    """A line that is added behind another one."""
    return Edit(file, old, old + line)


class NewField(NamedTuple):
    """The part of a state that gets a field, and the edits."""

    slug: str
    part: str  # the attribute of the state
    edits: Sequence[Edit]

    @property
    def id(self) -> str:
        """The id of its test."""
        return f"{self.slug}-{self.part}"

    @property
    def name(self) -> str:
        """The name of the field."""
        return f"scratch_{self.part}"

    @property
    def places(self) -> int:
        """The number of places that are edited."""
        return len(self.edits)


NEW_FIELDS: Final = (
    NewField(
        "law_of_the_dice",
        "deck",
        [
            added("hands_and_piles.py", "        self.pile: i64 = FULL_DECK\n", DECLARED),
            added("hands_and_piles.py", "        copy.pile = self.pile\n", CLONED),
            added(
                "view.py", "    draw_pile: int  #: the number of cards in the draw pile\n", SHOWN
            ),
        ],
    ),
    NewField(
        "law_of_the_dice",
        "scoring",
        [
            added(
                "scoring.py",
                "        self.starter: i64 = NO_SEAT  # the seat whose turn was the first since the"
                " deal\n",
                DECLARED,
            ),
            added("scoring.py", "        copy.starter = self.starter\n", CLONED),
            added("view.py", "    counts: int  #: the number of counts so far\n", SHOWN),
        ],
    ),
    NewField(
        "duel_edged_sword",
        "match",
        [
            added("match_scoring.py", "        self.leader: i64 = 0\n", DECLARED),
            added("match_scoring.py", "        copy.leader = self.leader\n", CLONED),
            added("view.py", "    leader: int  #: the seat that began the round\n", SHOWN),
        ],
    ),
    NewField(
        "duality",
        "hidden",
        [
            added("hidden_cards.py", "        self.pile: i64 = pile\n", DECLARED),
            Edit("hidden_cards.py", RETURNED_COPY, f"{NAMED_COPY}{CLONED}        return copy\n"),
            added("view.py", "    plies: int  #: decisions so far\n", SHOWN),
        ],
    ),
    NewField(
        "law",
        "progress",
        [
            added("turn_parts.py", "        self.asked: i64 = 0\n", DECLARED),
            added("turn_parts.py", "        copy.asked = self.asked\n", CLONED),
            added("view.py", "    asked: int  #: how often the player on turn has asked\n", SHOWN),
        ],
    ),
    NewField(
        "law",
        "end",
        [
            added("game_end.py", "        self.decisions: i64 = 0\n", DECLARED),
            added("game_end.py", "        copy.decisions = self.decisions\n", CLONED),
            added("view.py", "    quiet: int  #: turns since the last collection\n", SHOWN),
        ],
    ),
    NewField(
        "duel_of_law",
        "end",
        [
            added("game_end.py", "        self.winners: i64 = 0  # a set of seats\n", DECLARED),
            added("game_end.py", "        copy.winners = self.winners\n", CLONED),
            added("view.py", "    passes: int  #: in succession\n", SHOWN),
        ],
    ),
)
# What becomes of the field in contents, in a clone of its part, in a view and in a state from that.
ANSWERS: Final = """
import json, sys
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES

answers = []
for slug, part, name in json.loads(sys.argv[1]):
    engine = ENGINES[slug]
    about = engine.about
    state = engine.start(about.options(), about.seats[1], FastRng(1))
    before = state.contents()
    changed = getattr(state, part)
    setattr(changed, name, 7)
    view = engine.view(state, 0)
    imagined = engine.imagine(view, rng=FastRng(2))
    answers.append({
        "is_in_contents": state.contents() != before,
        "is_in_clone": getattr(changed.clone(), name) == 7,
        "shown": getattr(view, name),
        "imagined": getattr(getattr(imagined, part), name),
    })
print(json.dumps(answers))
"""
KEPT: Final = {"is_in_contents": True, "is_in_clone": True, "shown": 7, "imagined": 7}


def with_new_fields(root: Path, without: str = "") -> Any:
    """The answers of a copy in which every game has its new fields, but for one line of each."""
    copy = ScratchCopy(root)
    for field in NEW_FIELDS:
        for file, old, new in field.edits:
            line = new.replace(without, "") if without else new
            text = line.replace("{name}", field.name)
            copy.replace(f"tabularium_engines/{field.slug}/{file}", old, text)
    asked = json.dumps([[field.slug, field.part, field.name] for field in NEW_FIELDS])
    return json.loads(copy.run("-c", ANSWERS, asked))


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the games with new fields answer."""
    return with_new_fields(tmp_path_factory.mktemp("project"))


def test_every_large_game_gets_a_field_in_few_places() -> None:
    assert {field.slug for field in NEW_FIELDS} == set(ENGINES)
    assert all(field.places <= MOST_PLACES for field in NEW_FIELDS)


@pytest.mark.parametrize(
    "place", range(len(NEW_FIELDS)), ids=[" ".join(each[:2]) for each in NEW_FIELDS]
)
def test_a_new_field_is_cloned_compared_shown_and_imagined(place: int, answers: Any) -> None:
    assert answers[place] == KEPT


def test_a_field_that_is_not_cloned_is_found(tmp_path: Path) -> None:
    answers = with_new_fields(tmp_path / "project", without=CLONED)
    assert answers == [{**KEPT, "is_in_clone": False}] * len(NEW_FIELDS)
