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

from tabularium_engines.common import svg
from tabularium_engines.common.english_text import pluralize
from tabularium_engines.common.page_text import PAGE_WIDTH
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_edged_sword import ENGINE, picture, rows_svg, status_text
from tabularium_engines.duel_edged_sword.actions import Place
from tabularium_engines.duel_edged_sword.card_svg import GREY_COLOUR, CardPainter
from tabularium_engines.duel_edged_sword.cards import CARD_CODES, COMPLETE_CODES, KIND_CODES
from tabularium_engines.duel_edged_sword.game_options import Options
from tabularium_engines.duel_edged_sword.news_text import card_text
from tabularium_engines.duel_edged_sword.player_svg import PANEL_COLOUR
from tabularium_engines.duel_edged_sword.players import STANDING_NAMES
from tabularium_engines.duel_edged_sword.view import Laid, View
from tests.engines.duel_edged_sword.tables import (
    PLAIN_ROWS,
    do,
    legal_spots,
    right_end,
    start_match,
    table,
    view_of,
)

SVG = f"{{{svg.XMLNS}}}"
VARIANTS = (
    Options(rounds=2),
    Options(mode="teams", deal="thirteen", target=30),
    Options(mode="collaborative", rounds=1),
)


@dataclass(frozen=True)
class Rendering:
    """A view with its page and its picture."""

    view: View
    page: str
    picture: str

    @cached_property
    def root(self) -> ET.Element:
        return ET.fromstring(self.picture)

    @cached_property
    def picture_text(self) -> str:
        return " ".join(line.text or "" for line in self.root.iter(f"{SVG}text"))


def render(view: View) -> Rendering:
    return Rendering(view, ENGINE.text(view), ENGINE.svg(view))


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
def sample() -> list[Rendering]:
    return [render(view) for options in VARIANTS for view in views_of_a_game(options, 7)]


def visible_cards(view: View) -> Counter[str]:
    """The cards that can be recognised, as often as they are drawn; edges are counted instead."""
    laid = [laid.card for row in view.rows for laid in row]
    completes = [card for player in view.players for card in player.completes]
    return Counter([*laid, *completes, view.flipped, *([view.card] if view.card else [])])


# -- every view ---------------------------------------------------------------------------------


def test_every_view_has_a_page_and_a_picture_with_the_page_as_description() -> None:
    for rendering in sample():
        assert rendering.root.findtext(f"{SVG}desc") == rendering.page
        assert rendering.root.findtext(f"{SVG}title") == rendering.page.splitlines()[0]


def test_pictures_are_small_and_their_ids_unique_and_complete() -> None:
    for rendering in sample():
        assert len(rendering.picture.encode()) < 80_000
        ids = re.findall(r' id="([^"]+)"', rendering.picture)
        assert len(set(ids)) == len(ids)
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', rendering.picture)) <= set(ids)


def test_exactly_the_visible_cards_are_drawn() -> None:
    for rendering in sample():
        assert Counter(re.findall(r'data-card="(\w+)"', rendering.picture)) == visible_cards(
            rendering.view
        )


def test_exactly_the_visible_completes_are_on_the_page() -> None:
    for rendering in sample():
        codes = set(re.findall(r"\b[FPH][RGB][CST]\b", rendering.page))
        assert codes == {card for card in visible_cards(rendering.view) if card in COMPLETE_CODES}


def test_every_row_is_written_in_its_order() -> None:
    for rendering in sample():
        page = re.sub(r"\s+", " ", rendering.page)
        for number, row in enumerate(rendering.view.rows, start=1):
            cards = " · ".join(
                card_text(c.card) if c.is_up else f"[{card_text(c.card)}]" for c in row
            )
            assert f"Row {number} ({len(row)}) {cards or 'empty'}" in page


def test_every_players_points_and_edges_are_on_the_page() -> None:
    for rendering in sample():
        page = re.sub(r"\s+", " ", rendering.page)
        for seat, player in enumerate(rendering.view.players):
            edges = Counter(sorted(player.constraints, key=KIND_CODES.index))
            text = ", ".join(f"{edges[kind]} {card_text(kind)}" for kind in edges) or "none"
            assert f"Edges: {text}" in page
            assert f"{pluralize(rendering.view.points[seat], 'point')}, {player.pile} card" in page
        assert page.count("▶") == len(rendering.view.to_act)


def test_the_unseen_cards_are_the_deck_without_the_seen_cards() -> None:
    for rendering in sample():
        unseen = status_text.unseen_counts(rendering.view)
        view = rendering.view
        held_count = sum(player.pile for player in view.players) + view.aside
        others_card = int(bool(view.to_act) and view.card is None)
        assert sum(unseen.values()) == held_count + others_card
        assert set(unseen) == set(CARD_CODES)
        assert min(unseen.values()) >= 0


def test_pages_are_eighty_columns_wide() -> None:
    for rendering in sample():
        lines = rendering.page.splitlines()
        assert max(map(len, lines)) == PAGE_WIDTH
        assert all(line == line.rstrip() for line in lines)


def test_all_panels_and_cards_are_within_the_picture() -> None:
    for rendering in sample():
        width, height = map(float, rendering.root.attrib["viewBox"].split()[2:])
        panels = [
            r.attrib for r in rendering.root.iter(f"{SVG}rect") if r.get("fill") == PANEL_COLOUR
        ]
        assert len([panel for panel in panels if "stroke" in panel]) == 4
        for panel in panels:
            assert 0 <= float(panel["x"]) <= width - float(panel["width"])
            assert 0 <= float(panel["y"]) <= height - float(panel["height"])


def test_equal_views_have_equal_pages_and_pictures() -> None:
    for rendering in sample()[::9]:
        assert render(replace(rendering.view)) == rendering


# -- single features ------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 5, 18, 40, 60])
def test_even_the_longest_row_stays_in_its_lane(length: int) -> None:
    view = replace(
        view_of(table(PLAIN_ROWS, "PGT"), 0), rows=((Laid("FRC", True),) * length, (), (), ())
    )
    root = render(view).root
    card_groups = [g for g in root.iter(f"{SVG}g") if g.get("data-card") == "FRC"]
    assert len(card_groups) == length
    places = [
        float(re.findall(r"translate\(([\d.]+)", g.attrib["transform"])[0])
        for g in root.iter(f"{SVG}g")
        if "scale(0.58)" in g.get("transform", "")
    ]
    assert len(places) == length
    assert min(places) >= rows_svg.LANE_MARGIN
    assert max(places) + rows_svg.SCALED_CARD_WIDTH <= picture.INNER_WIDTH - rows_svg.LANE_MARGIN


def offered_place_count(view: View) -> int:
    """The number of places that the picture offers to the viewer."""
    return ENGINE.svg(view).count('stroke="#f2c14e" stroke-dasharray')


@pytest.mark.parametrize("card", ["PGT", "red", "true"])
def test_exactly_the_legal_places_are_offered(card: str) -> None:
    state = table(["true red FRS", "FRC blue", "", "green true"], card, turn=1)
    assert offered_place_count(view_of(state, 1)) == len(legal_spots(state))
    assert offered_place_count(view_of(state, 0)) == offered_place_count(view_of(state)) == 0


def test_a_place_shows_the_effect_of_laying_there() -> None:
    state = table(["red FRC FRS green", *PLAIN_ROWS[1:3], "true HBT HBS"], "red", turn=1)
    picture_text = render(view_of(state, 1)).picture_text
    assert "+0 2 cards" in picture_text
    assert "+2 5 cards" in picture_text
    state = table(["red FRC FRS green", *PLAIN_ROWS[1:3], "true HBT HBS"], "false", turn=1)
    assert "turns 2" in render(view_of(state, 1)).picture_text


def test_labels_name_the_effect_of_an_action() -> None:
    state = table(["red FRC FRS green", *PLAIN_ROWS[1:3], ""], "red")
    labels = [ENGINE.label(state, 0, action) for action in state.legal_actions(0)]
    assert labels[0] == "Lay Red at the left of row 1: collect 2 Red"
    assert labels[1] == "Lay Red at the right of row 1: collect FRS, FRC, 2 Red and 1 Green"
    assert labels[2] == "Lay Red at the left of row 2"
    assert labels[-1] == "Lay Red into the empty row 4"
    state = table(["true FRC red", *PLAIN_ROWS[1:]], "false")
    labels = [ENGINE.label(state, 0, action) for action in state.legal_actions(0)]
    assert labels[0] == "Lay False at the right of row 1: turn FRC and 1 Red face down"


@pytest.mark.parametrize(
    ("edges", "told", "slot"),
    [
        ("red", "out, keeps 3", "out keeps 3"),
        ("red red", "cut, 0 points", "cut 0 points"),
    ],
)
def test_labels_places_and_the_page_tell_the_standing_afterwards(
    edges: str, told: str, slot: str
) -> None:
    state = table(["red FRC FRS", *PLAIN_ROWS[1:]], "red", collected={0: f"HBT {edges}"})
    rendering = render(view_of(state, 0))
    right = Place("red", 1, "right")
    label = ENGINE.label(state, 0, ENGINE.encode(state, 0, right))
    assert label == f"Lay Red at the right of row 1: collect FRS, FRC and 2 Red: {told}"
    page = re.sub(r"\s+", " ", rendering.page)
    assert f"right collect FRS, FRC and 2 Red: {told}" in page
    assert slot in rendering.picture_text
    assert "+2 4 cards" not in rendering.picture_text
    assert told not in render(view_of(state)).page


def test_the_standing_told_is_the_standing_afterwards() -> None:
    standings: Counter[str] = Counter()
    for seed in range(6):
        rng = FastRng(seed)
        state = ENGINE.start(Options(rounds=2), 4, rng)
        while state.to_act:
            (seat,) = ENGINE.awaited_seats(state)
            action = state.random_action(seat, rng)
            view, place = ENGINE.view(state, seat), ENGINE.decode(state, seat, action)
            assert view.card is not None
            side = getattr(place, "side", "left")
            told = status_text.effect_of(
                view.rows[place.row - 1], side, view.card, view.players[seat]
            )
            state.lay_drawn_card(seat, place.row - 1, int(side == "right"))
            if told.kind == "collect":
                players = state.players
                assert STANDING_NAMES[players.standings[seat]] == told.standing
                assert players.scoring_completes(seat) == told.kept
                standings[told.standing] += 1
            state.advance_turn(rng)
    assert set(standings) == {"in", "out", "cut"}


def test_only_the_holder_sees_the_drawn_card() -> None:
    state = table(PLAIN_ROWS, "PGT", turn=1)
    assert "You have drawn PGT: lay it at an end of a row." in ENGINE.text(view_of(state, 1))
    for viewer in (None, 0, 2, 3):
        rendering = render(view_of(state, viewer))
        assert "East has drawn a card and lays it at an end of a row." in rendering.page
        assert "PGT" not in rendering.page + rendering.picture_text


@pytest.mark.parametrize(
    ("flipped", "sentence"),
    [
        ("circle", "Circle flipped: everybody plays for themselves."),
        ("HBT", "HBT flipped: all play together."),
        ("true", "True flipped: North and East play against South and West."),
        ("false", "False flipped: North and West play against East and South."),
    ],
)
def test_the_mode_of_the_round_is_named(flipped: str, sentence: str) -> None:
    rendering = render(view_of(table(PLAIN_ROWS, "PGT", flipped=flipped)))
    assert sentence in re.sub(r"\s+", " ", rendering.page)
    assert sentence in rendering.picture_text


@pytest.mark.parametrize(
    ("deal", "whole", "one_is_out"),
    [
        ("all", "61 to draw", "46 to draw, 15 of players who are out"),
        ("thirteen", "51 to draw, 10 aside", "38 to draw, 10 aside, 13 of players who are out"),
    ],
)
def test_the_picture_says_where_the_unseen_cards_lie(
    deal: str, whole: str, one_is_out: str
) -> None:
    state = start_match(1, deal=deal)
    assert f"Not yet seen {whole} " in render(view_of(state)).picture_text
    leader = view_of(state).leader
    state.players.leave_round((leader + 1) % 4, STANDING_NAMES.index("out"))
    assert f"Not yet seen {one_is_out} " in render(view_of(state)).picture_text


def test_a_hollow_is_a_ring_so_that_a_faint_one_is_no_lit_filled() -> None:
    root = ET.fromstring(f"<svg>{CardPainter('p').definitions()}</svg>")
    fills = {
        kind: {rect.get("fill") for rect in root.findall(f".//g[@id='p-{kind}']/rect")}
        for kind in ("filled", "hollow")
    }
    assert fills == {"filled": {GREY_COLOUR, "none"}, "hollow": {"none"}}


def test_partners_are_named() -> None:
    rendering = render(view_of(table(PLAIN_ROWS, "PGT", flipped="false"), 2))
    assert "South (you) 0 points, 3 cards to draw, with East" in re.sub(r" +", " ", rendering.page)
    assert sorted(re.findall(r"with ([A-Z]\w+)", rendering.picture_text)) == [
        "East",
        "North",
        "South",
        "West",
    ]


@pytest.mark.parametrize(
    ("standing", "text", "badge"),
    [(1, "out (three of a kind)", "out"), (2, "no points (four of", "cut: 0"), (3, "bust", "bust")],
)
def test_the_standing_of_a_player_is_named(standing: int, text: str, badge: str) -> None:
    state = table(PLAIN_ROWS, "PGT")
    state.players.standings[2] = standing
    rendering = render(view_of(state))
    assert text in re.sub(r"\s+", " ", rendering.page)
    assert badge in rendering.picture_text


@pytest.mark.parametrize(
    ("collected", "flipped", "sentence"),
    [
        ({0: "FRS"}, "circle", "North wins with 1 point after 1 round."),
        ({0: "FRS", 3: "FRT"}, "circle", "North and West share the victory with 1 point"),
        ({}, "HBT", "Together you have met 0 of 1 challenge and kept 0 of 26 Completes."),
    ],
)
def test_the_end_names_the_winners_or_the_challenges(
    collected: dict[int, str], flipped: str, sentence: str
) -> None:
    state = table(PLAIN_ROWS, "PGT", piles=(0, 0, 0, 0), collected=collected, flipped=flipped)
    do(state, right_end(1))
    rendering = render(view_of(state))
    assert sentence in re.sub(r"\s+", " ", rendering.page)
    assert sentence in rendering.picture_text


@pytest.mark.parametrize(("met", "badges"), [(0, 0), (1, 4)])
def test_a_missed_challenge_is_no_victory(met: int, badges: int) -> None:
    state = table(PLAIN_ROWS, "PGT", piles=(0, 0, 0, 0), flipped="HBT")
    do(state, right_end(1))
    state.match.challenges.met = met
    assert render(view_of(state)).picture_text.split().count("wins") == badges


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (VARIANTS[0], "The flipped card says who plays with whom, all cards dealt, 2 rounds."),
        (VARIANTS[1], "Teams, thirteen cards to each, up to 30 points."),
        (VARIANTS[2], "Collaborative rounds, all cards dealt, 1 round."),
    ],
)
def test_the_variant_is_named(options: Options, sentence: str) -> None:
    rendering = render(view_of(table(PLAIN_ROWS, "PGT", options=options)))
    assert sentence in rendering.page
    assert sentence in rendering.picture_text
