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

from games.engines.common import svg
from games.engines.common.rng import FastRng
from games.engines.duality import ENGINE, card_svg
from games.engines.duality.actions import Replace
from games.engines.duality.cards import CARD_CODES, lines_of
from games.engines.duality.game_options import Options
from games.engines.duality.render import PAGE_WIDTH
from games.engines.duality.view import Place, View
from tests.engines.duality.tables import BLACK, File, do, seen, table

SVG = f"{{{svg.XMLNS}}}"
FILES: tuple[File, ...] = (3, 5, 7)
each_file = pytest.mark.parametrize("file", FILES)


@dataclass(frozen=True)
class Shown:
    """A view with its page and its picture."""

    view: View
    page: str
    picture: str

    @cached_property
    def drawn(self) -> ET.Element:
        return ET.fromstring(self.picture)


def shown(view: View) -> Shown:
    return Shown(view, ENGINE.text(view), ENGINE.svg(view))


def views_of_a_game(file: File, seed: int) -> Iterator[View]:
    """Views of every viewer in turn, at intervals in a random game and at its end."""
    rng = FastRng(seed)
    state = ENGINE.start(Options(file), 2, rng)
    while state.to_act:
        if state.plies % 9 == 0:
            yield ENGINE.view(state, (None, 0, 1)[state.plies // 9 % 3])
        seat = ENGINE.awaited_seats(state)[0]
        state.apply(seat, state.random_action(seat, rng), rng)
    yield from (ENGINE.view(state, viewer) for viewer in (None, 0, 1))


@cache
def sample(file: File) -> list[Shown]:
    return [shown(view) for seed in (2, 3) for view in views_of_a_game(file, seed)]


def in_sight(view: View) -> Counter[str]:
    """Every card whose face the viewer sees, once."""
    hands = [*view.known[0], *view.known[1]]
    own = set(view.hand) - set(hands)
    return Counter([*(laid.card for laid in view.board), *hands, *own])


def number_of_backs(view: View) -> int:
    others = sum(view.hand_sizes) - len({*view.hand, *view.known[0], *view.known[1]})
    return others + (view.draw_pile + 7) // 8


# -- every view ---------------------------------------------------------------------------------


@each_file
def test_every_view_has_a_page_and_a_picture_that_says_the_same(file: File) -> None:
    for one in sample(file):
        assert one.drawn.findtext(f"{SVG}desc") == one.page
        assert one.drawn.findtext(f"{SVG}title") == one.page.splitlines()[0]


@each_file
def test_no_picture_is_large_or_uses_what_it_lacks(file: File) -> None:
    for one in sample(file):
        assert len(one.picture.encode()) < 120_000
        ids = re.findall(r' id="([^"]+)"', one.picture)
        assert len(set(ids)) == len(ids)
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', one.picture)) <= set(ids)


@each_file
def test_exactly_the_cards_in_sight_are_shown(file: File) -> None:
    for one in sample(file):
        assert Counter(re.findall(r'data-card="(\w+)"', one.picture)) == in_sight(one.view)
        assert one.picture.count("data-back") == number_of_backs(one.view)
        told = set(re.findall(r"D\d\d", re.sub(r"unseen is one of [^▶─]*", "", one.page)))
        assert told == set(in_sight(one.view))


@each_file
def test_pages_are_eighty_columns_wide(file: File) -> None:
    for one in sample(file):
        lines = one.page.splitlines()
        assert max(map(len, lines)) == PAGE_WIDTH
        assert all(line == line.rstrip() for line in lines)


@each_file
def test_everything_drawn_is_within_the_picture(file: File) -> None:
    for one in sample(file):
        width, height = map(float, one.drawn.attrib["viewBox"].split()[2:])
        for node, (x, y, scale) in placed(one.drawn):
            if node.tag == f"{SVG}rect":
                left, top = x + scale * float(node.get("x", 0)), y + scale * float(node.get("y", 0))
                right = left + scale * float(node.attrib["width"])
                bottom = top + scale * float(node.attrib["height"])
                assert left >= 0
                assert top >= 0
                assert right <= width + 0.1
                assert bottom <= height + 0.1


def placed(
    node: ET.Element, where: tuple[float, float, float] = (0, 0, 1)
) -> Iterator[tuple[ET.Element, tuple[float, float, float]]]:
    """Every element, with the position of its origin and its scale."""
    x, y, scale = where
    moved = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", node.get("transform", ""))
    if moved:
        x, y = x + scale * float(moved[1]), y + scale * float(moved[2])
    sized = re.search(r"scale\(([\d.]+)\)", node.get("transform", ""))
    here = (x, y, scale * float(sized[1]) if sized else scale)
    yield node, here
    for child in node:
        yield from placed(child, here)


@each_file
def test_cards_do_not_cover_each_other_on_the_board(file: File) -> None:
    for one in sample(file):
        corners = [
            (round(x), round(y))
            for node, (x, y, _) in placed(one.drawn)
            if node.get("data-card") and node.get("data-card") in {c.card for c in one.view.board}
        ]
        assert len(set(corners)) == len(corners) == len(one.view.board)


@each_file
def test_the_page_tells_how_the_game_stands(file: File) -> None:
    for one in sample(file):
        assert one.page.count("▶") == len(one.view.to_act)
        assert f"Draw pile: {one.view.draw_pile} card" in one.page
        assert one.page.count("↻") >= sum(laid.turned for laid in one.view.board)
        assert one.page.count("╔") == len(one.view.joined)


# -- single features ----------------------------------------------------------------------------


def test_a_card_on_the_page_shows_its_lines_and_connections() -> None:
    page = ENGINE.text(seen(table("D39 D37 D34", ("D48", "D01")), BLACK)).splitlines()
    corner = next(number for number, line in enumerate(page) if "D37" in line)
    assert [line[13:20] for line in page[corner - 1 : corner + 2]] == [
        "┌─●─●─┐",
        "○ D37 ○",
        "└─□2□─┘",
    ]


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


def test_the_winning_path_shines() -> None:
    state = table("D41 D18 D19*", ("D05", ""))
    do(state, BLACK, Replace("D05", False, 2, 0))
    view = seen(state)
    assert card_svg.GOLD_COLOUR in ENGINE.svg(view)
    assert "White wins" in ENGINE.text(view)
    text = ENGINE.text(view)
    assert text.count("╔") == 3
    lines = ENGINE.svg(view).count(f'stroke="{card_svg.GOLD_COLOUR}" stroke-width="17"')
    assert lines == 3


def test_the_viewer_and_who_is_on_turn_are_named() -> None:
    state = table("D39 D37 D34", ("D48", "D01"))
    assert "▶ Black (you):" in ENGINE.text(seen(state, BLACK))
    assert ENGINE.text(seen(state)).startswith("Duality as an onlooker sees it")
    assert "White replaces a card or plays a new one." in ENGINE.text(
        replace(seen(state), to_act=(1,))
    )


def test_free_places_are_marked_for_both_players() -> None:
    view = seen(table("D39 D37 D34"))
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
        ({"to_act": (), "ending": "limit", "winners": (0, 1)}, "nobody wins"),
        ({"to_act": (), "ending": "passes", "winners": (0,)}, "Both have passed: Black wins with"),
        ({"to_act": (), "ending": "repetition", "winners": (0,)}, "has come up three times: Black"),
        ({"barred": (tuple(CARD_CODES[2:]), ())}, "unseen is one of D01 D02"),
    ],
)
def test_what_is_worth_knowing_is_said(changes: dict[str, Any], sentence: str) -> None:
    view = replace(seen(table("D39 D37 D34", ("D01", ""))), **changes)
    assert sentence in " ".join(ENGINE.text(view).split())
    ENGINE.svg(view)
