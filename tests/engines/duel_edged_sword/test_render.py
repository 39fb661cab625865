"""Duel-Edged Sword's page and picture: they show all of a view, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import count, cycle
from xml.etree import ElementTree as ET

import pytest

from games.engines.common import svg
from games.engines.common.rng import FastRng
from games.engines.duel_edged_sword import ENGINE, picture, rows_svg, status_text
from games.engines.duel_edged_sword.cards import CARD_CODES, COMPLETE_CODES
from games.engines.duel_edged_sword.game_options import Options
from games.engines.duel_edged_sword.news_text import card_text, pluralize
from games.engines.duel_edged_sword.player_svg import PANEL_COLOUR
from games.engines.duel_edged_sword.render import PAGE_WIDTH
from games.engines.duel_edged_sword.view import Laid, View
from tests.engines.duel_edged_sword.tables import PLAIN, do, legal, right, seen, table

SVG = f"{{{svg.XMLNS}}}"
VARIANTS = (
    Options(rounds=2),
    Options(mode="teams", deal="thirteen", target=30),
    Options(mode="collaborative", rounds=1),
)


@dataclass(frozen=True)
class Shown:
    """A view with its page and its picture."""

    view: View
    page: str
    picture: str

    @cached_property
    def drawn(self) -> ET.Element:
        return ET.fromstring(self.picture)

    @cached_property
    def written(self) -> str:
        return " ".join(line.text or "" for line in self.drawn.iter(f"{SVG}text"))


def shown_as(view: View) -> Shown:
    return Shown(view, ENGINE.text(view), ENGINE.svg(view))


def views_of_a_game(options: Options, seed: int) -> Iterator[View]:
    """Views of every viewer in turn, at intervals in a random game and at its end."""
    rng = FastRng(seed)
    state = ENGINE.start(options, 4, rng)
    viewers = cycle((None, 0, 1, 2, 3))
    for step in count():
        if step % 12 == 0 or not state.to_act:
            yield ENGINE.view(state, next(viewers))
        if not state.to_act:
            return
        seat = ENGINE.awaited_seats(state)[0]
        state.apply(seat, state.random_action(seat, rng), rng)


@cache
def sample() -> list[Shown]:
    return [shown_as(view) for options in VARIANTS for view in views_of_a_game(options, 7)]


def in_sight(view: View) -> Counter[str]:
    """The cards that can be recognised, as often as they are drawn; edges are counted instead."""
    laid = [laid.card for row in view.rows for laid in row]
    completes = [card for player in view.players for card in player.completes]
    return Counter([*laid, *completes, view.flipped, *([view.card] if view.card else [])])


# -- every view ---------------------------------------------------------------------------------


def test_every_view_has_a_page_and_a_picture_that_says_the_same() -> None:
    for one in sample():
        assert one.drawn.findtext(f"{SVG}desc") == one.page
        assert one.drawn.findtext(f"{SVG}title") == one.page.splitlines()[0]


def test_no_picture_is_large_or_has_an_id_twice_or_uses_what_it_lacks() -> None:
    for one in sample():
        assert len(one.picture.encode()) < 80_000
        ids = re.findall(r' id="([^"]+)"', one.picture)
        assert len(set(ids)) == len(ids)
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', one.picture)) <= set(ids)


def test_exactly_the_cards_in_sight_are_drawn() -> None:
    for one in sample():
        assert Counter(re.findall(r'data-card="(\w+)"', one.picture)) == in_sight(one.view)


def test_exactly_the_completes_in_sight_are_on_the_page() -> None:
    for one in sample():
        found = set(re.findall(r"\b[FPH][RGB][CST]\b", one.page))
        assert found == {card for card in in_sight(one.view) if card in COMPLETE_CODES}


def test_every_row_is_written_in_its_order() -> None:
    for one in sample():
        page = re.sub(r"\s+", " ", one.page)
        for number, row in enumerate(one.view.rows, start=1):
            cards = " · ".join(
                card_text(c.card) if c.is_up else f"[{card_text(c.card)}]" for c in row
            )
            assert f"Row {number} ({len(row)}) {cards or 'empty'}" in page


def test_every_players_points_and_edges_are_on_the_page() -> None:
    for one in sample():
        page = re.sub(r"\s+", " ", one.page)
        for seat, player in enumerate(one.view.players):
            edges = status_text.kind_counts(player.constraints)
            told = ", ".join(f"{number} {card_text(kind)}" for kind, number in edges) or "none"
            assert f"Edges: {told}" in page
            assert f"{pluralize(one.view.points[seat], 'point')}, {player.pile} card" in page
        assert page.count("▶") == len(one.view.to_act)


def test_what_has_not_been_seen_is_the_deck_without_what_has() -> None:
    for one in sample():
        left = status_text.unseen_counts(one.view)
        view = one.view
        held = sum(player.pile for player in view.players) + view.aside
        others_card = int(bool(view.to_act) and view.card is None)
        assert sum(left.values()) == held + others_card
        assert set(left) == set(CARD_CODES)
        assert min(left.values()) >= 0


def test_pages_are_eighty_columns_wide() -> None:
    for one in sample():
        lines = one.page.splitlines()
        assert max(map(len, lines)) == PAGE_WIDTH
        assert all(line == line.rstrip() for line in lines)


def test_all_panels_and_cards_are_within_the_picture() -> None:
    for one in sample():
        width, height = map(float, one.drawn.attrib["viewBox"].split()[2:])
        boards = [r.attrib for r in one.drawn.iter(f"{SVG}rect") if r.get("fill") == PANEL_COLOUR]
        assert len([board for board in boards if "stroke" in board]) == 4
        for board in boards:
            assert 0 <= float(board["x"]) <= width - float(board["width"])
            assert 0 <= float(board["y"]) <= height - float(board["height"])


def test_equal_views_have_equal_pages_and_pictures() -> None:
    for one in sample()[::9]:
        assert shown_as(replace(one.view)) == one


# -- single features ------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 5, 18, 40, 60])
def test_even_the_longest_row_stays_in_its_lane(length: int) -> None:
    view = replace(seen(table(PLAIN, "PGT"), 0), rows=((Laid("FRC", True),) * length, (), (), ()))
    lane = shown_as(view).drawn
    drawn = [g for g in lane.iter(f"{SVG}g") if g.get("data-card") == "FRC"]
    assert len(drawn) == length
    places = [
        float(re.findall(r"translate\(([\d.]+)", g.attrib["transform"])[0])
        for g in lane.iter(f"{SVG}g")
        if "scale(0.58)" in g.get("transform", "")
    ]
    assert len(places) == length
    assert min(places) >= rows_svg.LANE_MARGIN
    assert max(places) + rows_svg.SCALED_CARD_WIDTH <= picture.INNER_WIDTH - rows_svg.LANE_MARGIN


def slots(view: View) -> int:
    """The number of places offered to the viewer."""
    return ENGINE.svg(view).count('stroke="#f2c14e" stroke-dasharray')


@pytest.mark.parametrize("card", ["PGT", "red", "true"])
def test_the_places_that_are_offered_are_the_legal_ones(card: str) -> None:
    state = table(["true red FRS", "FRC blue", "", "green true"], card, turn=1)
    assert slots(seen(state, 1)) == len(legal(state))
    assert slots(seen(state, 0)) == slots(seen(state)) == 0


def test_a_place_says_what_comes_of_it() -> None:
    state = table(["red FRC FRS green", *PLAIN[1:3], "true HBT HBS"], "red", turn=1)
    written = shown_as(seen(state, 1)).written
    assert "+0 2 cards" in written
    assert "+2 5 cards" in written
    state = table(["red FRC FRS green", *PLAIN[1:3], "true HBT HBS"], "false", turn=1)
    assert "turns 2" in shown_as(seen(state, 1)).written


def test_labels_say_what_comes_of_an_action() -> None:
    state = table(["red FRC FRS green", *PLAIN[1:3], ""], "red")
    labels = [ENGINE.label(state, 0, action) for action in state.legal_actions(0)]
    assert labels[0] == "Lay Red at the left of row 1: collect 2 Red"
    assert labels[1] == "Lay Red at the right of row 1: collect FRS, FRC, 2 Red and 1 Green"
    assert labels[2] == "Lay Red at the left of row 2"
    assert labels[-1] == "Lay Red into the empty row 4"
    state = table(["true FRC red", *PLAIN[1:]], "false")
    labels = [ENGINE.label(state, 0, action) for action in state.legal_actions(0)]
    assert labels[0] == "Lay False at the right of row 1: turn FRC and 1 Red face down"


def test_only_the_holder_reads_which_card_was_drawn() -> None:
    state = table(PLAIN, "PGT", turn=1)
    assert "You have drawn PGT: lay it at an end of a row." in ENGINE.text(seen(state, 1))
    for viewer in (None, 0, 2, 3):
        one = shown_as(seen(state, viewer))
        assert "East has drawn a card and lays it at an end of a row." in one.page
        assert "PGT" not in one.page + one.written


@pytest.mark.parametrize(
    ("flipped", "sentence"),
    [
        ("circle", "Circle flipped: everybody plays for themselves."),
        ("HBT", "HBT flipped: all play together."),
        ("true", "True flipped: North and East play against South and West."),
        ("false", "False flipped: North and West play against East and South."),
    ],
)
def test_the_kind_of_round_is_said(flipped: str, sentence: str) -> None:
    one = shown_as(seen(table(PLAIN, "PGT", flipped=flipped)))
    assert sentence in re.sub(r"\s+", " ", one.page)
    assert sentence in one.written


def test_partners_are_named() -> None:
    one = shown_as(seen(table(PLAIN, "PGT", flipped="false"), 2))
    assert "South (you) 0 points, 3 cards to draw, with East" in re.sub(r" +", " ", one.page)
    assert sorted(re.findall(r"with ([A-Z]\w+)", one.written)) == ["East", "North", "South", "West"]


@pytest.mark.parametrize(
    ("standing", "told", "badge"),
    [(1, "out (three of a kind)", "out"), (2, "no points (four of", "cut: 0"), (3, "bust", "bust")],
)
def test_who_is_out_is_said(standing: int, told: str, badge: str) -> None:
    state = table(PLAIN, "PGT")
    state.standings[2] = standing
    one = shown_as(seen(state))
    assert told in re.sub(r"\s+", " ", one.page)
    assert badge in one.written


@pytest.mark.parametrize(
    ("got", "flipped", "sentence"),
    [
        ({0: "FRS"}, "circle", "North wins with 1 point after 1 round."),
        ({0: "FRS", 3: "FRT"}, "circle", "North and West share the victory with 1 point"),
        ({}, "HBT", "Together you have met 0 of 1 challenge and kept 0 of 26 Completes."),
    ],
)
def test_the_end_names_the_winners(got: dict[int, str], flipped: str, sentence: str) -> None:
    state = table(PLAIN, "PGT", piles=(0, 0, 0, 0), collected=got, flipped=flipped)
    do(state, right(1))
    one = shown_as(seen(state))
    assert sentence in re.sub(r"\s+", " ", one.page)
    assert sentence in one.written


@pytest.mark.parametrize(("met", "badges"), [(0, 0), (1, 4)])
def test_a_missed_challenge_is_no_victory(met: int, badges: int) -> None:
    state = table(PLAIN, "PGT", piles=(0, 0, 0, 0), flipped="HBT")
    do(state, right(1))
    state.challenge[1] = met
    assert shown_as(seen(state)).written.split().count("wins") == badges


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (VARIANTS[0], "The flipped card says who plays with whom, all cards dealt, 2 rounds."),
        (VARIANTS[1], "Teams, thirteen cards to each, up to 30 points."),
        (VARIANTS[2], "Collaborative rounds, all cards dealt, 1 round."),
    ],
)
def test_the_variant_is_named(options: Options, sentence: str) -> None:
    one = shown_as(seen(table(PLAIN, "PGT", options=options)))
    assert sentence in one.page
    assert sentence in one.written
