"""SVG building blocks: documents are well-formed for any text, and every playing card shows its
rank and suit."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

import pytest

from tabularium_engines.common import playing_card_svg, svg
from tabularium_engines.common.playing_cards import CARD_CODES, RANK_SIGNS
from tabularium_engines.common.svg import Markup

SVG = f"{{{svg.XMLNS}}}"


def parse_document(*content: str, title: str = "A title", description: str = "Words") -> ET.Element:
    return ET.fromstring(svg.document((10, 20.5), "p", title, description, *content))


# -- elements -----------------------------------------------------------------------------------


def test_an_element_has_attributes_in_the_notation_of_svg() -> None:
    markup = svg.rect(1, 2.499999, 3, 4.0, stroke_width=0.5, fill=None)
    assert markup == '<rect x="1" y="2.5" width="3" height="4" stroke-width="0.5"/>'


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (-0.001, "0"), (100, "100"), (1 / 3, "0.33"), (-2.5, "-2.5"), (1e-7, "0")],
)
def test_numbers_are_short_and_never_in_exponents(value: float, text: str) -> None:
    assert svg.format_number(value) == text


def test_text_and_attributes_are_escaped_and_markup_is_not() -> None:
    special_text = "<a> & \"b\" 'c'"
    markup = svg.group(svg.text(0, 0, special_text, 10), Markup("<g/>"), id=special_text)
    group = parse_document(markup)[2]
    assert group.get("id") == special_text
    assert group[0].text == special_text
    assert group[1].tag == f"{SVG}g"


def test_characters_that_xml_excludes_are_replaced() -> None:
    root = parse_document(svg.text(0, 0, "a\x00b\x1bc\ud800d", 10))
    assert root[2].text == "a\ufffdb\ufffdc\ufffdd"


def test_a_document_has_a_size_a_title_and_a_description() -> None:
    text = "two  lines\n<b> & ♠"
    root = parse_document(title="Tea & cards", description=text)
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == "0 0 10 20.5"
    assert root.get("role") == "img"
    assert [child.text for child in root] == ["Tea & cards", text]
    assert (root.get("aria-labelledby") or "").split() == [child.get("id") for child in root]


def test_pictures_of_different_things_can_share_a_page() -> None:
    first, second = svg.id_prefix("one"), svg.id_prefix("another")
    assert first != second
    assert all(re.fullmatch(r"[a-z][a-z0-9]+", prefix) for prefix in (first, second))


def test_wrapped_lines_fit_the_width() -> None:
    lines = svg.wrap_text("a sentence that is too long for one line", 10, 100)
    assert len(lines) > 1
    assert all(svg.text_width(line, 10) <= 100 for line in lines)
    paragraph = parse_document(svg.paragraph(5, 30, lines, 10))[2]
    assert [line.text for line in paragraph] == lines
    baselines = [float(line.get("y") or "") for line in paragraph]
    assert all(lower - upper == 12.5 for upper, lower in pairwise(baselines))


# -- playing cards ------------------------------------------------------------------------------


def reference_counts(markup: str) -> Counter[str]:
    """How often each definition is referenced."""
    return Counter(re.findall(r'href="#x-(\w+)"', markup))


@pytest.mark.parametrize("card", CARD_CODES)
def test_a_face_shows_its_rank_and_its_pips(card: str) -> None:
    rank, suit = card[:-1], card[-1]
    counts = reference_counts(playing_card_svg.CardPainter("x").face(card))
    corners, figure = 2, 2 if rank in "JQK" else 0
    assert counts.pop("sheet") == 1
    assert counts.pop(rank) == corners + figure
    pips = int(rank) if rank.isdigit() else 1
    assert counts == {suit: corners + pips}


@pytest.mark.parametrize("rank", RANK_SIGNS[:9])
def test_pips_are_apart_and_symmetric_except_on_the_seven(rank: str) -> None:
    places = playing_card_svg.PIP_POSITIONS[rank]
    assert len(set(places)) == len(places) == int(rank)
    rotated = {(100 - x, round(1 - down, 6)) for x, down in places}
    assert (rotated == {(x, round(down, 6)) for x, down in places}) == (rank != "7")


@pytest.mark.parametrize("card", CARD_CODES)
def test_a_small_card_shows_its_rank_and_its_suit(card: str) -> None:
    assert reference_counts(playing_card_svg.CardPainter("x").thumb(card)) == {
        "sheet": 1,
        card[:-1]: 1,
        card[-1]: 2,
    }


def test_a_back_shows_nothing_of_its_card() -> None:
    assert reference_counts(playing_card_svg.CardPainter("x").back()) == {"back": 1}


def test_every_definition_that_cards_use_occurs_once() -> None:
    cards = playing_card_svg.CardPainter("x")
    faces = [cards.face(card) + cards.thumb(card) for card in CARD_CODES]
    root = parse_document(cards.definitions(), *(Markup(face) for face in faces), cards.back())
    definition_counts = Counter(element.get("id") for element in root.iter() if element.get("id"))
    assert set(definition_counts.values()) == {1}
    references = {(use.get("href") or "")[1:] for use in root.iter(f"{SVG}use")}
    assert references <= set(definition_counts)


def test_paragraphs_are_stacked_with_a_gap_below_each() -> None:
    paragraphs = [("one two one two", 10.0, {"fill": "#fff"}), ("three", 20.0, {})]
    stacked, end = svg.stack(5, 30, paragraphs, 60, 4)
    lines = [line for group in parse_document(stacked)[2] for line in group]
    assert [line.text for line in lines] == ["one two one", "two", "three"]
    assert [line.get("y") for line in lines] == ["30", "42.5", "59"]
    assert end == 88


def test_badges_stand_side_by_side_from_the_right() -> None:
    group = parse_document(svg.group(*svg.badge_row([("b", "#fff"), ("a", "#000")], 90, 10, 8)))[2]
    bubbles = [child for child in group if child.tag == f"{SVG}rect"]
    first, second = (float(bubble.get("x") or 0) for bubble in bubbles)
    width = float(bubbles[0].get("width") or 0)
    assert (first + width, second + width) == (90, first - 6)


def test_no_two_suits_or_ranks_have_the_same_shape() -> None:
    shapes = [*playing_card_svg.SUIT_OUTLINES.values(), *playing_card_svg.RANK_STROKES.values()]
    assert len(set(shapes)) == 4 + 13


def test_a_picture_loads_and_runs_nothing() -> None:
    cards = playing_card_svg.CardPainter("x")
    markup = svg.document((1, 1), "p", "t", "d", cards.definitions(), *map(cards.face, CARD_CODES))
    assert not re.search(r"<script|<image|<style|<foreignObject|@import|\bon\w+=", markup)
    assert re.findall(r"https?://[^\"]+", markup) == [svg.XMLNS]


def test_a_picture_of_a_page_has_its_first_line_as_title() -> None:
    root = ET.fromstring(svg.picture_of_page((1, 1), "Tea\nfor two"))
    assert [child.text for child in root] == ["Tea", "Tea\nfor two"]


def test_the_description_of_a_picture_can_be_read() -> None:
    page = 'Tea & cards\n  <b>, "two"  ♠'
    assert svg.description_of(svg.picture_of_page((1, 1), page)) == page


def test_parts_of_a_picture_get_its_prefix() -> None:
    pages = ["Tea", "Coffee"]
    first, second = (
        svg.picture_of_page((1, 1), page, svg.use(f"{svg.ID_PREFIX}-cup", 0, 0)) for page in pages
    )
    for page, picture in zip(pages, (first, second), strict=True):
        assert f'href="#{svg.id_prefix(page)}-cup"' in picture
        assert svg.ID_PREFIX not in picture


def test_text_is_escaped_although_the_same_markup_was_drawn_before() -> None:
    cup = svg.text(0, 0, "cup", 9)
    assert svg.group(cup) == f"<g>{cup}</g>"
    assert svg.group(str(cup)) == f"<g>{escape(cup)}</g>"


def test_what_is_drawn_once_is_kept_for_painters_of_the_same_prefix() -> None:
    drawn = []

    @svg.drawn_once
    def draw(painter: svg.Painter) -> svg.Markup:
        drawn.append(painter.prefix)
        return svg.circle(0, 0, 1)

    for prefix in ("a", "a", "b"):
        assert draw(svg.Painter(prefix)) == svg.circle(0, 0, 1)
    assert draw(playing_card_svg.CardPainter("a")) == svg.circle(0, 0, 1)
    assert drawn == ["a", "b", "a"], "another kind of painter draws anew"
