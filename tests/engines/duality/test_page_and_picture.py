"""Duality's page and picture: they show all of a view, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tabularium_engines.common import svg
from tabularium_engines.common.page_text import PAGE_WIDTH
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duality import ENGINE, card_svg
from tabularium_engines.duality.actions import Replace
from tabularium_engines.duality.cards import CARD_CODES, lines_of
from tabularium_engines.duality.game_options import File, Options
from tabularium_engines.duality.view import Place, View
from tests.engines.duality.tables import BLACK, WHITE, do, table, view_of

SVG = f"{{{svg.XMLNS}}}"
FILES: tuple[File, ...] = (2, 3, 4, 5, 6, 7)
each_file = pytest.mark.parametrize("file", FILES)


@dataclass(frozen=True)
class Rendering:
    """A view with its page and its picture."""

    view: View
    page: str
    picture: str

    @cached_property
    def root(self) -> ET.Element:
        return ET.fromstring(self.picture)


def render(view: View) -> Rendering:
    return Rendering(view, ENGINE.text(view), ENGINE.svg(view))


def views_of_a_game(file: File, seed: int) -> Iterator[View]:
    """Views of every viewer in turn, at intervals in a random game and at its end."""
    rng = FastRng(seed)
    state = ENGINE.start(Options(file), 2, rng)
    while state.to_act:
        if state.history.plies % 9 == 0:
            yield ENGINE.view(state, (None, 0, 1)[state.history.plies // 9 % 3])
        seat = ENGINE.awaited_seats(state)[0]
        state.apply(seat, state.random_action(seat, rng), rng)
    yield from (ENGINE.view(state, viewer) for viewer in (None, 0, 1))


@cache
def sample(file: File) -> list[Rendering]:
    return [render(view) for seed in (2, 3) for view in views_of_a_game(file, seed)]


def visible_cards(view: View) -> Counter[str]:
    """Every card whose face the viewer sees, once."""
    known_cards = [*view.known[0], *view.known[1]]
    own_cards = set(view.hand) - set(known_cards)
    return Counter([*(laid.card for laid in view.board), *known_cards, *own_cards])


def back_count(view: View) -> int:
    hidden_count = sum(view.hand_sizes) - len({*view.hand, *view.known[0], *view.known[1]})
    return hidden_count + (view.draw_pile + 7) // 8


# -- every view ---------------------------------------------------------------------------------


@each_file
def test_every_view_has_a_page_and_a_picture_with_the_page_as_description(file: File) -> None:
    for rendering in sample(file):
        assert rendering.root.findtext(f"{SVG}desc") == rendering.page
        assert rendering.root.findtext(f"{SVG}title") == rendering.page.splitlines()[0]


@each_file
def test_pictures_are_small_and_their_ids_unique_and_complete(file: File) -> None:
    for rendering in sample(file):
        assert len(rendering.picture.encode()) < 120_000
        ids = re.findall(r' id="([^"]+)"', rendering.picture)
        assert len(set(ids)) == len(ids)
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', rendering.picture)) <= set(ids)


@each_file
def test_exactly_the_visible_cards_are_shown(file: File) -> None:
    for rendering in sample(file):
        assert Counter(re.findall(r'data-card="(\w+)"', rendering.picture)) == visible_cards(
            rendering.view
        )
        assert rendering.picture.count("data-back") == back_count(rendering.view)
        page_codes = set(
            re.findall(r"D\d\d", re.sub(r"unseen is one of [^▶─]*", "", rendering.page))
        )
        assert page_codes == set(visible_cards(rendering.view))


@each_file
def test_pages_are_eighty_columns_wide(file: File) -> None:
    for rendering in sample(file):
        lines = rendering.page.splitlines()
        assert max(map(len, lines)) == PAGE_WIDTH
        assert all(line == line.rstrip() for line in lines)


@each_file
def test_everything_drawn_is_within_the_picture(file: File) -> None:
    for rendering in sample(file):
        width, height = map(float, rendering.root.attrib["viewBox"].split()[2:])
        for node, (x, y, scale) in positioned_elements(rendering.root):
            if node.tag == f"{SVG}rect":
                left, top = x + scale * float(node.get("x", 0)), y + scale * float(node.get("y", 0))
                right = left + scale * float(node.attrib["width"])
                bottom = top + scale * float(node.attrib["height"])
                assert left >= 0
                assert top >= 0
                assert right <= width + 0.1
                assert bottom <= height + 0.1


def positioned_elements(
    node: ET.Element, origin: tuple[float, float, float] = (0, 0, 1)
) -> Iterator[tuple[ET.Element, tuple[float, float, float]]]:
    """Every element, with the position of its origin and its scale."""
    x, y, scale = origin
    translation = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", node.get("transform", ""))
    if translation:
        x, y = x + scale * float(translation[1]), y + scale * float(translation[2])
    scaling = re.search(r"scale\(([\d.]+)\)", node.get("transform", ""))
    child_origin = (x, y, scale * float(scaling[1]) if scaling else scale)
    yield node, child_origin
    for child in node:
        yield from positioned_elements(child, child_origin)


@each_file
def test_cards_do_not_cover_each_other_on_the_board(file: File) -> None:
    for rendering in sample(file):
        corners = [
            (round(x), round(y))
            for node, (x, y, _) in positioned_elements(rendering.root)
            if node.get("data-card")
            and node.get("data-card") in {c.card for c in rendering.view.board}
        ]
        assert len(set(corners)) == len(corners) == len(rendering.view.board)


@each_file
def test_the_page_shows_the_state_of_the_game(file: File) -> None:
    for rendering in sample(file):
        assert rendering.page.count("▶") == len(rendering.view.to_act)
        assert f"Draw pile: {rendering.view.draw_pile} card" in rendering.page
        assert rendering.page.count("↻") >= sum(laid.turned for laid in rendering.view.board)
        assert rendering.page.count("╔") == len(rendering.view.joined)


# -- single features ----------------------------------------------------------------------------


def test_a_card_on_the_page_shows_its_lines_and_connections() -> None:
    page = ENGINE.text(view_of(table("D39 D37 D34", ("D48", "D01")), BLACK)).splitlines()
    corner = next(number for number, line in enumerate(page) if "D37" in line)
    assert [line[13:20] for line in page[corner - 1 : corner + 2]] == [
        "┌─●─●─┐",
        "○ D37 ○",
        "└─□2□─┘",
    ]


def lines_below_rule(page: str) -> list[str]:
    """The lines of the board on a page."""
    return page.split("─" * PAGE_WIDTH)[2].splitlines()[1:]


def test_white_sees_the_page_turned_by_half() -> None:
    state = table("D39 D37 D34", ("D48", "D06"), {(1, 1): "D12*"}, turn=WHITE)
    black, white, onlooker = (
        lines_below_rule(ENGINE.text(view_of(state, seat))) for seat in (BLACK, WHITE, None)
    )
    assert onlooker == black
    assert [line.split() for line in (black[0], white[0])] == [
        ["-1", "0", "+1", "+2"],
        ["+2", "+1", "0", "-1"],
    ]
    assert [[line[:6].strip() for line in page[1:]] for page in (black, white)] == [
        ["White", "3", "", "", "2", "", "Black", "1", "", ""],
        ["Black", "1", "", "", "2", "", "White", "3", "", ""],
    ]
    assert [line[20:27] for line in white[4:7]] == ["┌─□─□─┐", "○ D37 ○", "└─●2●─┘"]
    assert "D12↻" in white[2]


def test_whites_hand_looks_as_it_will_lie() -> None:
    state = table("D39 D37 D34", ("", "D06"), turn=WHITE)
    page = ENGINE.text(view_of(state, WHITE)).splitlines()
    corner = next(number for number, line in enumerate(page) if line.count("D06") == 2)
    as_black = ENGINE.text(replace(view_of(state, WHITE), seat=None)).splitlines()
    shown, shown_to_black = (
        "\n".join(line[:7] for line in lines[corner - 1 : corner + 2]) for lines in (page, as_black)
    )
    assert shown != shown_to_black
    assert Counter(shown) == Counter(shown_to_black)


def card_corners(view: View) -> dict[str, tuple[float, float]]:
    """The corner of each card in the picture."""
    found = positioned_elements(ET.fromstring(ENGINE.svg(view)))
    return {code: at[:2] for node, at in found if (code := node.get("data-card"))}


def test_white_sees_the_picture_turned_by_half() -> None:
    state = table("D39 D37 D34", ("D48", "D06"), {(1, 1): "D12*"}, turn=WHITE)
    black, white, onlooker = (view_of(state, seat) for seat in (BLACK, WHITE, None))
    seen_by_black, seen_by_white = card_corners(black), card_corners(white)
    assert card_corners(onlooker) == {
        card: seen_by_black[card] for card in ("D39", "D37", "D34", "D12")
    }
    sums = {
        tuple(map(sum, zip(seen_by_black[laid.card], seen_by_white[laid.card], strict=True)))
        for laid in black.board
    }
    assert len(sums) == 1
    assert [ENGINE.svg(view).count("rotate(180)") for view in (black, white)] == [0, 5]
    assert [
        ENGINE.svg(view).index(">WHITE<") < ENGINE.svg(view).index(">BLACK<")
        for view in (black, white)
    ] == [True, False]


def test_lines_meet_at_the_rim_of_neighbouring_cards() -> None:
    """North's ports lie directly above south's, and both flank ports at the same height."""
    points = card_svg.PORT_POINTS
    assert [points[0][0], points[1][0]] == [points[4][0], points[3][0]]
    assert points[2][1] == points[5][1]
    for number in range(len(CARD_CODES)):
        for _, one, other in lines_of(number, False):
            start, end = points[one], points[other]
            assert card_svg.curve_path(one, other).startswith(f"M{start[0]} {start[1]}C")
            assert card_svg.curve_path(one, other).endswith(f" {end[0]} {end[1]}")


def test_the_winning_path_is_golden() -> None:
    state = table("D41 D18 D19*", ("D05", ""))
    do(state, BLACK, Replace("D05", False, 2, 0))
    view = view_of(state)
    assert card_svg.GOLD_COLOUR in ENGINE.svg(view)
    assert "White wins" in ENGINE.text(view)
    text = ENGINE.text(view)
    assert text.count("╔") == 3
    lines = ENGINE.svg(view).count(f'stroke="{card_svg.GOLD_COLOUR}" stroke-width="17"')
    assert lines == 3


def test_the_viewer_and_the_seat_on_turn_are_named() -> None:
    state = table("D39 D37 D34", ("D48", "D01"))
    assert "▶ Black (you):" in ENGINE.text(view_of(state, BLACK))
    assert ENGINE.text(view_of(state)).startswith("Duality as an onlooker sees it")
    assert "White replaces a card or plays a new one." in ENGINE.text(
        replace(view_of(state), to_act=(1,))
    )


def test_free_places_are_marked_for_both_players() -> None:
    view = view_of(table("D39 D37 D34"))
    assert view.free == ((Place(1, -1), Place(1, 1)), (Place(3, -1), Place(3, 1)))
    page = ENGINE.text(view)
    assert len(re.findall(r"(?m)^  3 .*\bw\b.*\bw\b", page)) == 1
    assert len(re.findall(r"(?m)^  1 .*\bb\b.*\bb\b", page)) == 1


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"occurrences": 2}, "This position has come up twice; the third time ends the game."),
        ({"history": (None,)}, "White has passed; if both pass, the game ends."),
        ({"plies": 299}, "1 decision left before the game ends."),
        ({"to_act": (), "ending": "limit", "winners": (0, 1)}, "the victory is shared"),
        ({"to_act": (), "ending": "passes", "winners": (0,)}, "Both have passed: Black wins with"),
        ({"to_act": (), "ending": "repetition", "winners": (0,)}, "has come up three times: Black"),
        ({"barred": (tuple(CARD_CODES[2:]), ())}, "unseen is one of D01 D02"),
    ],
)
def test_the_page_has_a_sentence_for_each_condition(changes: dict[str, Any], sentence: str) -> None:
    view = replace(view_of(table("D39 D37 D34", ("D01", ""))), **changes)
    assert sentence in " ".join(ENGINE.text(view).split())
    ENGINE.svg(view)
