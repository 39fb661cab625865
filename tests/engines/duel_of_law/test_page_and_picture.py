"""Duel of Law's page and picture: they show all of a view, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations
from math import hypot
from xml.etree import ElementTree as ET

import pytest

from tabularium_engines.common import svg
from tabularium_engines.common.page_text import PAGE_WIDTH
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law import card_svg, status_text, tableau_svg
from tabularium_engines.duel_of_law.actions import Finish, More, Name, Place
from tabularium_engines.duel_of_law.cards import CARD_CODES, COLOUR_NAMES
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import Options
from tabularium_engines.duel_of_law.status_text import card_features_text, print_of_card
from tabularium_engines.duel_of_law.tableau_svg import TOKEN_COLOURS
from tabularium_engines.duel_of_law.view import View
from tests.engines.duel_of_law.tables import FIRST, do, finish, table, view_of
from tests.engines.duel_of_law.test_example import diagram

SVG = f"{{{svg.XMLNS}}}"


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
    return Rendering(view, FIRST.text(view), FIRST.svg(view))


def views_of_a_game(seats: int, seed: int) -> Iterator[View]:
    """Views of an onlooker and of the seat on turn alternately, at intervals in a random game, and
    at its end."""
    rng = FastRng(seed)
    state = FIRST.start(Options(), seats, rng)
    number = 0
    while state.to_act:
        seat = int(state.turn.seat)
        if number % 37 == 0 or (state.turn.laid and number % 11 == 0):
            yield FIRST.view(state, (None, seat)[number % 2])
        state.apply(seat, state.random_action(seat, rng), rng)
        number += 1
    yield from (FIRST.view(state, viewer) for viewer in (None, 0))


@cache
def sample() -> list[Rendering]:
    views = [view for seats, seed in ((2, 3), (4, 2)) for view in views_of_a_game(seats, seed)]
    return [render(view) for view in [*views, view_of(diagram()), view_of(diagram(), 0)]]


def node_text(node: ET.Element) -> str:
    return " ".join(part.text or "" for part in node.iter(f"{SVG}text"))


# -- every view ------------------------------------------------------------------------------------


def test_every_view_has_a_page_and_a_picture_with_the_page_as_description() -> None:
    assert len(sample()) > 10
    for rendering in sample():
        assert rendering.root.findtext(f"{SVG}desc") == rendering.page
        assert rendering.root.findtext(f"{SVG}title") == rendering.page.splitlines()[0]


def test_pictures_are_small_and_their_ids_unique_and_complete() -> None:
    for rendering in sample():
        assert len(rendering.picture.encode()) < 200_000
        ids = re.findall(r' id="([^"]+)"', rendering.picture)
        assert len(set(ids)) == len(ids)
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', rendering.picture)) <= set(ids)


def test_exactly_the_visible_cards_are_shown() -> None:
    for rendering in sample():
        cards = [laid.card for laid in rendering.view.tableau.cards] + list(rendering.view.hand)
        drawn = re.findall(r'data-card="([\w*]+)"', rendering.picture)
        assert Counter(drawn) == Counter(cards)


def test_every_branch_is_framed_and_explained() -> None:
    for rendering in sample():
        numbers = re.findall(r'data-branch="(\d+)"', rendering.picture)
        assert len(numbers) == len(rendering.view.tableau.branches)
        page_text = " ".join(rendering.page.split())
        for branch in rendering.view.tableau.branches:
            assert f"level {len(branch.law)} (" in page_text


def test_a_card_of_a_branch_tells_its_law() -> None:
    """A pointer on any card of its line shows it."""
    told = 0
    for rendering in sample():
        cards = {(laid.row, laid.column): laid.card for laid in rendering.view.tableau.cards}
        titles = {
            card: " ".join(title.text or "" for title in node.iter(f"{SVG}title"))
            for node in rendering.root.iter(f"{SVG}g")
            for card in cards.values()
            if node.find(f"{SVG}title") is not None
            and node.find(f".//*[@data-card='{card}']") is not None
        }
        for branch in rendering.view.tableau.branches:
            right, down = (1, 0) if branch.axis == "across" else (0, 1)
            for step in range(branch.size):
                place = branch.row + step * down, branch.column + step * right
                assert status_text.law_text(branch) in titles[cards[place]]
                told += 1
    assert told > 100


def test_pages_are_eighty_columns_wide() -> None:
    for rendering in sample():
        lines = rendering.page.splitlines()
        assert max(map(len, lines)) == PAGE_WIDTH
        assert all(line == line.rstrip() for line in lines)


def test_everything_drawn_is_within_the_picture() -> None:
    for rendering in sample():
        width, height = map(float, rendering.root.attrib["viewBox"].split()[2:])
        for node, (x, y, scale) in positioned_elements(rendering.root):
            if node.tag == f"{SVG}rect":
                left, top = x + scale * float(node.get("x", 0)), y + scale * float(node.get("y", 0))
                assert -1 <= left <= left + scale * float(node.attrib["width"]) <= width + 1
                assert -1 <= top <= top + scale * float(node.attrib["height"]) <= height + 1


def positioned_elements(
    node: ET.Element, x: float = 0, y: float = 0, scale: float = 1
) -> Iterator[tuple[ET.Element, tuple[float, float, float]]]:
    """Every drawn element, with the position of its origin and its scale."""
    if node.tag == f"{SVG}defs":
        return
    transform = node.get("transform", "")
    translation = re.search(r"translate\((\S+) (\S+)\)", transform)
    if translation:
        x, y = x + scale * float(translation[1]), y + scale * float(translation[2])
    if scaling := re.search(r"scale\((\S+)\)", transform):
        scale *= float(scaling[1])
    yield node, (x, y, scale)
    for child in node:
        yield from positioned_elements(child, x, y, scale)


def test_cards_do_not_cover_each_other() -> None:
    rendering = render(view_of(diagram(), 0))
    corners = [
        (x, y)
        for node, (x, y, _) in positioned_elements(rendering.root)
        if node.get("data-card") is not None
    ]
    for (x1, y1), (x2, y2) in combinations(corners, 2):
        assert abs(x1 - x2) > 70 or abs(y1 - y2) > 90


# -- cards -----------------------------------------------------------------------------------------


def card_face(card: str) -> ET.Element:
    return ET.fromstring(f'<svg xmlns="{svg.XMLNS}">{card_svg.CardPainter("p").face(card)}</svg>')


def test_every_card_shows_all_its_features() -> None:
    pictures = set()
    for number, card in enumerate(CARD_CODES):
        node = card_face(card)
        signs = {use.get("href", "") for use in node.iter(f"{SVG}use")}
        printed = print_of_card(card)
        assert f"#p-d{printed.dice}" in signs
        assert card in node_text(node)
        if number < 156:
            assert f"#p-{printed.poker}" in signs
            assert node_text(node).endswith(COLOUR_NAMES[number // 13])
            assert f"{printed.letter} {printed.value} " in node_text(node)
        pictures.add(ET.tostring(node))
    assert len(pictures) == len(CARD_CODES)


def test_features_in_words() -> None:
    assert card_features_text("07") == "07 red A1 ♠ die 1"
    assert card_features_text("11K") == "11K gray Z10 ♦ die 6"
    assert card_features_text("*4") == "*4 joker, dark, die 4"


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours, as WCAG defines it."""
    light, dark = sorted((brightness(first), brightness(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def brightness(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_printed_features_are_legible() -> None:
    for suit, colour in enumerate(COLOUR_NAMES):
        assert contrast(card_svg.COLOUR_FILLS[colour], card_svg.INK_BY_SHADE[suit % 2]) > 4.5


def test_numbers_on_tokens_are_legible() -> None:
    assert len(set(TOKEN_COLOURS)) == 4
    assert all(contrast(colour, "#ffffff") > 3 for colour in TOKEN_COLOURS)


@pytest.mark.parametrize("smallest", [0, 13, 25, 30, 36, 42, 44, 50, 60])
@pytest.mark.parametrize("digits", [1, 2])
def test_tokens_leave_the_print_on_cards_free(smallest: float, digits: int) -> None:
    radius = max(tableau_svg.TOKEN_RADIUS, tableau_svg.LEAST_RADIUS[digits - 1] * smallest)
    corner, letter = max(17.0, smallest), max(31.0, smallest)
    has_corner = tableau_svg.has_corner(smallest)
    across, down = (
        tableau_svg.print_distance(axis, radius, smallest) for axis in ("across", "down")
    )
    assert across + (card_svg.CARD_WIDTH - letter) / 2 >= radius
    if has_corner:
        assert hypot(max(across, 0) + 4, card_svg.CARD_HEIGHT / 2 - 3 - corner) > radius - 0.1
    top = 3 + corner * 0.26 if has_corner else card_svg.CARD_HEIGHT / 2 - letter * 0.37
    assert down + top > radius - 0.1


# -- single features -------------------------------------------------------------------------------


def table_with_trial() -> DuelState:
    state = table("01 25", ("*1 03 45", "90 91"))
    do(state, Place("*1", 0, 2))
    return state


def test_a_joker_shows_its_values() -> None:
    state = table_with_trial()
    do(state, Name("*1", "rank", "8"))
    finish(state, "rank rises")
    rendering = render(view_of(state, 1))
    joker = next(node for node in rendering.root.iter() if node.get("data-card") == "*1")
    assert "*1 8" in node_text(joker)
    assert "Joker *1: rank 8" in rendering.page
    assert "Joker *1: rank 8" in node_text(rendering.root)


def test_new_cards_are_marked_for_the_acting_player_alone() -> None:
    state = table_with_trial()
    own, other = render(view_of(state, 0)), render(view_of(state, 1))
    assert "*1+" in own.page
    assert "*1+" not in other.page
    assert card_svg.GOLD_COLOUR in own.picture.split('data-card="*1"')[1][:200]
    assert 'data-card="*1"' not in other.picture


def test_the_headline_names_the_awaited_step() -> None:
    state = table_with_trial()
    assert "Red lays cards or draws six." in render(view_of(state)).page
    assert "Red has laid *1, and lays another card or finishes." in render(view_of(state, 0)).page
    do(state, More())
    assert "Red has laid *1, and lays another card." in render(view_of(state, 0)).page
    do(state, Place("03", 0, 3))
    do(state, Finish())
    sentence = "Red has to give the line from row 0, column 0 to the right a law."
    assert sentence in " ".join(render(view_of(state, 0)).page.split())


def test_a_question_about_anothers_branch_names_the_owner() -> None:
    state = table("01 02 03", ("05", "90"), [("across", (0, 0), "blue: colour is red")])
    do(state, Place("05", 0, 3))
    do(state, Finish())
    page = " ".join(render(view_of(state, 0)).page.split())
    assert (
        "Red may narrow the law of the line from row 0, column 0 to the right, which is Blue's."
        in page
    )


def test_a_tableau_over_the_seam_is_drawn_in_one_piece() -> None:
    state = table({(126, 0): "01", (127, 0): "02", (-128, 0): "03"}, ("05", "90"))
    rendering = render(view_of(state))
    rows = [
        line.split()[0] for line in rendering.page.splitlines() if re.match(r" *-?\d+  0", line)
    ]
    assert rows == ["126", "127", "-128"]
    assert float(rendering.root.attrib["viewBox"].split()[3]) < 1000


def test_a_wide_tableau_is_written_in_parts() -> None:
    state = table({(0, column): CARD_CODES[column] for column in range(20)}, ("105", "90"))
    page = render(view_of(state)).page
    assert len([line for line in page.splitlines() if re.match(r" {2,3}0  ", line)]) == 2
    assert all(f"{CARD_CODES[column]}" in page for column in range(20))
    assert max(map(len, page.splitlines())) == PAGE_WIDTH


def test_the_end_names_the_winners() -> None:
    view = replace(
        view_of(diagram()), to_act=(), ending="lead", winners=(0,), is_open=True, owned=(3, 1, 1)
    )
    rendering = render(view)
    assert "Red wins with 3 branches, nobody else having more than 1." in rendering.page
    assert "wins" in node_text(rendering.root)
