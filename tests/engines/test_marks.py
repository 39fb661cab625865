"""Marks: how they are read, which actions fit them, and which offers they leave."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from tabularium_engines.common import svg
from tabularium_engines.promises import PROMISES
from tabularium_engines.promises.marks import fits, numbers_left, pairs_of, read_mark
from tests.engines.broken_pictures import UnmarkedPicture
from tests.engines.lucky_draw import Bury, Draw, LuckyDraw, Play

SWAP = {"type": "dice.swap", "slot": 1, "other": 3}
LAY = {"type": "duality.play", "card": "D07", "turned": True, "row": 1, "column": -2}


def test_a_mark_has_ways_and_these_have_pairs() -> None:
    assert read_mark("card=7S") == ((("card", "7S"),),)
    assert read_mark("type=draw pile=0,last_word=-2") == (
        (("type", "draw"),),
        (("pile", "0"), ("last_word", "-2")),
    )


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "card", "card=", "=7S", "card=7S ", " card=7S", "card=7S  slot=1"),
        *("card=7S,", ",card=7S", "card=a=b", "Card=7S", "card=7S\nslot=1", "card = 7S"),
    ],
)
def test_anything_else_is_no_mark(text: str) -> None:
    with pytest.raises(ValueError, match="is no mark"):
        read_mark(text)


def test_values_are_those_of_json_and_a_kind_has_no_slug() -> None:
    expected = [("type", "play"), ("card", "D07"), ("turned", "true"), ("row", "1")]
    assert pairs_of(LAY) == {*expected, ("column", "-2")}


@pytest.mark.parametrize(
    ("text", "action", "expected"),
    [
        ("slot=1 other=1", SWAP, True),
        ("slot=3 other=3", SWAP, True),
        ("slot=2 other=2", SWAP, False),
        ("row=1,column=-2", LAY, True),
        ("row=1,column=2", LAY, False),
        ("column=-2,slot=1", LAY, False),
        ("type=play", LAY, True),
        ("type=duality.play", LAY, False),
        ("turned=true", LAY, True),
        ("turned=True", LAY, False),
    ],
)
def test_a_mark_fits_if_all_pairs_of_one_way_do(
    text: str, action: dict[str, object], expected: bool
) -> None:
    assert fits(read_mark(text), pairs_of(action)) is expected


def test_an_offer_is_left_with_those_that_fit_all_its_marks() -> None:
    offers = [{"type": "g.lay", "card": card, "slot": slot} for card in "AB" for slot in (1, 2)]
    offers += [{"type": "g.end"}, {"type": "g.draw"}]
    marks = [read_mark(text) for text in ("card=A", "slot=1", "slot=2", "type=draw")]
    assert numbers_left(offers, marks) == [1, 1, 2, 2, 6, 1]
    assert numbers_left(offers, []) == [6] * 6


def test_a_thing_has_its_title_first_and_a_mark() -> None:
    drawn = svg.thing(svg.circle(0, 0, 9), pick="row=1,column=-2 type=draw", name="A <place> & 7♠")
    thing = ET.fromstring(drawn)
    assert thing.get("data-pick") == "row=1,column=-2 type=draw"
    assert [child.tag for child in thing] == ["title", "circle"]
    assert thing[0].text == "A <place> & 7♠"


class SaidPicture(UnmarkedPicture):
    """No thing stands for an action: all are said."""

    about = replace(LuckyDraw.about, said=(Play, Draw, Bury))


def test_what_is_said_needs_no_thing() -> None:
    for seed in range(6):
        PROMISES[17](SaidPicture(), SaidPicture.about.options(), 3, seed, 30)
