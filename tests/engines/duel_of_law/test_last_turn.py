"""The last turn that laid cards: all seats see the cards that it laid and the branches that it took
over, in the view of version 2, its page and its picture."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from tabularium_engines.common import svg
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law.actions import DrawSix, Finish, Place
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import SecondOptions
from tabularium_engines.duel_of_law.rulings import FIRST_RULINGS, Rulings
from tabularium_engines.duel_of_law.tableau_svg import TOKEN_COLOURS
from tabularium_engines.duel_of_law.view import LastTurn, Line, rulings_of
from tests.engines.duel_of_law.tables import BLUE, FIRST, RED, SECOND, claim_action, do, table

RULINGS = rulings_of(SecondOptions())
SVG = f"{{{svg.XMLNS}}}"
STOLEN = Line("across", 0, 0)


def after_a_theft(rulings: Rulings = RULINGS) -> DuelState:
    """Red lengthens Blue's branch, and narrows its law."""
    claims = [("across", (0, 0), "blue: colour is red")]
    state = table("00 01 02", ("04 26", "90 91"), claims, rulings=rulings)
    do(state, Place("04", 0, 3))
    do(state, Finish())
    do(state, claim_action("number rises"))
    return state


@pytest.mark.parametrize("viewer", [RED, BLUE, None])
def test_all_seats_see_it(viewer: int | None) -> None:
    assert SECOND.view(after_a_theft(), viewer).last_turn == LastTurn(RED, ("04",), (STOLEN,))


def test_until_it_ends_none_is_seen() -> None:
    state = table("00", ("01 02", "90"), rulings=RULINGS)
    do(state, Place("01", 0, 1))
    assert [SECOND.view(state, viewer).last_turn for viewer in (RED, BLUE)] == [None, None]
    do(state, Finish())
    assert SECOND.view(state, BLUE).last_turn == LastTurn(RED, ("01",), ())


def test_a_turn_without_cards_leaves_it() -> None:
    state = after_a_theft()
    do(state, DrawSix())
    assert SECOND.view(state, RED).last_turn == LastTurn(RED, ("04",), (STOLEN,))


def test_an_own_branch_that_grows_is_not_stolen() -> None:
    claims = [("across", (0, 0), "red: colour is red")]
    state = table("00 01 02", ("04 26", "90"), claims, rulings=RULINGS)
    do(state, Place("04", 0, 3))
    do(state, Finish())
    assert SECOND.view(state, None).last_turn == LastTurn(RED, ("04",), ())


def test_it_is_part_of_a_state_and_of_imagined_ones() -> None:
    state = after_a_theft()
    copy, before = state.clone(), state.contents()
    assert copy.contents() == before
    do(copy, Place("90", 1, 0))
    do(copy, Finish())
    assert state.contents() == before
    imagined = SECOND.imagine(SECOND.view(state, BLUE), FastRng(1))
    assert SECOND.view(imagined, BLUE) == SECOND.view(state, BLUE)


def test_version_1_does_not_show_it() -> None:
    state = after_a_theft(FIRST_RULINGS)
    assert state.turn.last_laid == type(state.turn.last_laid)()
    page = FIRST.text(FIRST.view(state, BLUE))
    assert "*" not in page
    assert "stolen" not in page


def test_the_page_marks_it() -> None:
    page = SECOND.text(SECOND.view(after_a_theft(), BLUE))
    assert "Red laid 04 last." in page
    assert "04A*" in page
    assert page.count("*") == 2  # the legend explains it
    assert "level 2 (Red, Blue), just stolen:" in " ".join(page.split())


def test_the_picture_marks_it() -> None:
    root = ET.fromstring(SECOND.svg(SECOND.view(after_a_theft(), BLUE)))
    flags = [path for path in root.iter(f"{SVG}path") if path.get("stroke") == "#ffffff"]
    assert [flag.get("fill") for flag in flags] == [TOKEN_COLOURS[RED]]
    golden_tokens = [
        disc
        for disc in root.iter(f"{SVG}circle")
        if disc.get("stroke") == "#ffc83d" and disc.get("fill") == TOKEN_COLOURS[RED]
    ]
    assert len(golden_tokens) == 2  # on the branch, and beside its law
    assert any("just stolen" in (text.text or "") for text in root.iter(f"{SVG}text"))


def test_a_number_on_a_token_is_that_of_a_branch() -> None:
    """The number of a seat's branches is written beside its name."""
    root = ET.fromstring(SECOND.svg(SECOND.view(after_a_theft(), BLUE)))
    tokens = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}circle") is not None]
    numbers = [text.text for token in tokens for text in token.findall(f"{SVG}text")]
    assert numbers == ["1", "1"]  # on the branch, and beside its law
