"""Law's page and picture: they show all of a view, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import count, cycle, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tabularium_engines.common import svg
from tabularium_engines.common.page_text import BACK_SIGN, PAGE_WIDTH
from tabularium_engines.common.playing_cards import CARD_CODES, card_sign
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.shapes_svg import SHAPES, Shape
from tabularium_engines.law import ENGINE, player_svg, status_text
from tabularium_engines.law.game_options import V2Options as Options
from tabularium_engines.law.player_svg import PANEL_COLOUR
from tabularium_engines.law.view import Known, Law, Task, Trigger, View
from tests.engines.law.tables import table, view_of

SVG = f"{{{svg.XMLNS}}}"
SIGNS = {card_sign(number): code for number, code in enumerate(CARD_CODES)}
VARIANTS = (Options(), Options(deck="introductory"))


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


def views_of_a_game(seats: int, options: Options, seed: int) -> Iterator[View]:
    """Views of every viewer in turn, at intervals in a random game and at its end."""
    rng = FastRng(seed)
    state = ENGINE.start(options, seats, rng)
    viewers = cycle((None, *range(seats)))
    for step in count():
        if step % 20 == 0 or not state.to_act:
            yield ENGINE.view(state, next(viewers))
        if not state.to_act:
            return
        able_seats = [seat for seat in range(seats) if state.legal_actions(seat)]
        seat = able_seats[rng.below(len(able_seats))]
        state.apply(seat, state.random_action(seat, rng), rng)


@cache
def sample(seats: int) -> list[Rendering]:
    games = (views_of_a_game(seats, options, seed) for options in VARIANTS for seed in (1, 2))
    return [render(view) for game in games for view in game]


@cache
def opening(seats: int = 3, seat: int | None = 1) -> View:
    """A view from an opening, for tests that alter it."""
    return ENGINE.view(ENGINE.start(Options(), seats, FastRng(1)), seat)


def picture_lines(view: View) -> list[str]:
    """The lines of text in the picture."""
    return [line.text or "" for line in render(view).root.iter(f"{SVG}text")]


def top_cards(view: View) -> list[str]:
    """The top cards of piles, where the viewer knows them."""
    piles = [view.draw_top, *view.discard_piles]
    return [pile[-1] for pile in piles if pile and pile[-1]]


def known_hand_cards(view: View) -> list[str]:
    """The cards in hands that the viewer knows."""
    return [*view.hand, *(card for known in view.known for card in known.cards)]


def collected_laws(view: View) -> list[str]:
    """All collected Laws."""
    return [law.card for own in view.laws for law in own]


# -- every view ---------------------------------------------------------------------------------

each_table = pytest.mark.parametrize("seats", [2, 3, 4])


@each_table
def test_every_view_has_a_page_and_a_picture_with_the_page_as_description(seats: int) -> None:
    for rendering in sample(seats):
        assert rendering.root.findtext(f"{SVG}desc") == rendering.page
        assert rendering.root.findtext(f"{SVG}title") == rendering.page.splitlines()[0]


@each_table
def test_pictures_are_small_and_their_ids_unique_and_complete(seats: int) -> None:
    for rendering in sample(seats):
        assert len(rendering.picture.encode()) < 120_000
        ids = re.findall(r' id="([^"]+)"', rendering.picture)
        assert len(set(ids)) == len(ids)
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', rendering.picture)) <= set(ids)


@each_table
def test_exactly_the_visible_cards_are_drawn(seats: int) -> None:
    for rendering in sample(seats):
        view = rendering.view
        marks = re.findall(r'data-card="(\w+)"', rendering.picture)
        expected = [
            *collected_laws(view),
            *known_hand_cards(view),
            *top_cards(view),
            *view.trash[-3:],
        ]
        assert sorted(marks) == sorted(expected)


@each_table
def test_no_card_is_on_the_page_that_the_viewer_does_not_know(seats: int) -> None:
    for rendering in sample(seats):
        view = rendering.view
        piles = [card for pile in (view.draw_top, *view.discard_piles) for card in pile if card]
        chain = [card for trigger in view.triggers for card in trigger.laws]
        known = {
            *collected_laws(view),
            *known_hand_cards(view),
            *piles,
            *view.trash,
            *view.removed,
            *chain,
        }
        signs = re.findall(r"(?:10|[2-9JQKA])[♠♥♦♣]", rendering.page)
        assert {SIGNS[found] for found in signs} <= known
        assert {*collected_laws(view), *known_hand_cards(view), *top_cards(view)} <= {
            SIGNS[sign] for sign in signs
        }


@each_table
def test_every_other_card_of_a_hand_is_a_back(seats: int) -> None:
    for rendering in sample(seats):
        hidden = sum(rendering.view.hand_sizes) - len(known_hand_cards(rendering.view))
        hands = rendering.page[rendering.page.index("Seat", rendering.page.index("─" * 80, 200)) :]
        assert hands.count(BACK_SIGN) == hidden


@each_table
def test_the_page_shows_the_awaited_seats_and_all_Laws(seats: int) -> None:
    for rendering in sample(seats):
        view, page = rendering.view, " ".join(rendering.page.split())
        assert page.count("▶") == len(view.to_act)
        assert ("on turn)" in page) == bool(view.to_act)
        for own in view.laws:
            assert all(status_text.law_text(view, law) in page for law in own)
        for seat in range(seats):
            assert f"Seat {seat}: {len(view.laws[seat])} of {view.needed[seat]} Laws" in page


@each_table
def test_pages_are_eighty_columns_wide(seats: int) -> None:
    for rendering in sample(seats):
        lines = rendering.page.splitlines()
        assert max(map(len, lines)) == PAGE_WIDTH
        assert all(line == line.rstrip() for line in lines)


@each_table
def test_equal_views_have_equal_pages_and_pictures(seats: int) -> None:
    for rendering in sample(seats)[::9]:
        assert render(replace(rendering.view)) == rendering


@each_table
def test_every_panel_is_within_the_picture_and_none_hides_another(seats: int) -> None:
    for rendering in sample(seats):
        width, height = map(float, rendering.root.attrib["viewBox"].split()[2:])
        rects = (
            rect.attrib
            for rect in rendering.root.iter(f"{SVG}rect")
            if rect.get("fill") == PANEL_COLOUR
        )
        panels = [[float(r[key]) for key in ("x", "y", "width", "height")] for r in rects]
        assert len(panels) == seats
        for x, y, panel_width, panel_height in panels:
            assert 0 < x < x + panel_width < width
            assert 0 < y < y + panel_height < height
        for place, (x, y, panel_width, panel_height) in enumerate(panels):
            for left, top, *_ in panels[place + 1 :]:
                assert not (x <= left < x + panel_width and y <= top < y + panel_height)


# -- Laws ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", CARD_CODES)
def test_the_longest_text_of_a_Law_fits_on_its_plate(card: str) -> None:
    plain_text = status_text.printed_law_text(card)
    event_text = f"Event: {plain_text}" if status_text.has_happened(card) else ""
    doubled_text = status_text.printed_law_text(card, doubled=True)
    for text in (event_text or plain_text, event_text or doubled_text):
        for height in (
            player_svg.PLATE_HEIGHT - 6,
            player_svg.PLATE_HEIGHT - 6 - player_svg.SEAL_LINE_HEIGHT,
        ):
            lines, size = player_svg.fit_text(text, 250 - 54, height)
            assert svg.LINE_SPACING * size * len(lines) <= height
            assert all(svg.text_width(line, size) <= 250 - 54 for line in lines)


def test_the_rule_book_has_every_Law_in_these_words() -> None:
    text = Path(player_svg.__file__).with_name("RULES.md").read_text(encoding="utf-8")
    text = text.replace("*", "")
    for card in CARD_CODES:
        assert status_text.printed_law_text(card) in text, card


def test_doubled_numbers_are_shown() -> None:
    view = view_of(table(["2S", "3S"], {0: "JS 10D", 1: "7S KD"}), 0)
    assert "discard 2 less" in ENGINE.text(view)
    assert "draw 2." in ENGINE.text(view)
    assert "Choose 1 Law" in ENGINE.text(view)  # numbers of a past Event are no longer doubled
    bound = view_of(table(["2S", "3S"], {0: "JS 10D", 1: "7S"}, bound={"JS": 0}), 0)
    assert "discard 1 less" in ENGINE.text(bound)


def test_a_Law_that_binds_one_player_names_it() -> None:
    view = view_of(table(["2S", "3S"], {0: "10D"}, bound={"10D": 1}), 0)
    assert "(seat 1 only)" in ENGINE.text(view)
    assert "Seat 1 only" in picture_lines(view)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seats", range(2, 7))
def test_no_badge_hides_the_tablets_of_the_Laws(seats: int, shape: Shape) -> None:
    view = opening(seats, 0)
    words = replace(view, to_act=tuple(range(seats)), hand_sizes=(10,) * seats)
    for needed, laws in product((3, 4, 5, 9), range(6)):
        won = (Law("7C", None),) * laws
        busy = replace(words, needed=(needed,) * seats, laws=(won,) * seats)
        for header in ET.fromstring(ENGINE.svg_in_shape(busy, shape)).iter(f"{SVG}g"):
            badges = [float(one.get("x", 0)) for one in header.findall(f"{SVG}rect[@rx='10.5']")]
            tablets = header.findall(f"{SVG}g/{SVG}rect[@rx='2.5']")
            ends = [float(one.get("x", 0)) + player_svg.TABLET_SIZE[0] for one in tablets]
            lines = header.findall(f"{SVG}text[@font-size='14']")
            ends += [float(one.get("x", 0)) + svg.text_width(one.text or "", 14) for one in lines]
            assert not (badges and ends) or max(ends) < min(badges), (needed, laws)


def test_Laws_are_counted_by_tablets_or_in_words() -> None:
    view = view_of(table(["2S", "3S"], {0: "10D 8C", 1: "8H"}), 0)
    text = [line for line in picture_lines(view) if line.endswith(" Laws")]
    tablets = re.findall(r'width="11" height="15"', ENGINE.svg(view))
    assert [text, len(tablets)] == [[], 8]
    lines = picture_lines(replace(view, needed=(9, 4)))
    assert [line for line in lines if line.endswith(" Laws")] == ["2 of 9 Laws"]


# -- the awaited task ---------------------------------------------------------------------------

TASKS: tuple[tuple[Task, str], ...] = (
    (Task("lay", 2), "Seat 2 plays a Bill and lays cards."),
    (Task("collect", 2, 1), "Seat 2 chooses the pile from which to collect a Law."),
    (Task("discard", 2, 2), "Seat 2 has to discard 2 cards."),
    (Task("aim", 2, 1), "Seat 2 chooses a player who has to discard 1 card."),
    (Task("pass", 2, 1, 0), "Seat 2 has to pass 1 card to seat 0."),
    (Task("swap", 2, 1, 0), "Seat 2 chooses 1 card to swap, sealed."),
    (Task("contribute", 2, 2), "Seat 2 chooses 2 cards for the empty draw pile, sealed."),
    (Task("return", 2, 1), "Seat 2 chooses 1 Law to give back to the deck, sealed."),
    (Task("substitute", 2), "Seat 2 chooses a card from the hand to be a Law."),
    (Task("replace", 2), "Seat 2 chooses a Law to be replaced at random."),
    (Task("bind", 2), "Seat 2 chooses a Law that is to bind one player only."),
    (Task("bind_whom", 2, card="7S"), "Seat 2 chooses the only player whom 7♠ is to bind."),
    (Task("first", 2), "Seat 2 chooses the first of two players who swap hands."),
    (Task("second", 2, other=0), "Seat 2 chooses who swaps hands with seat 0."),
    (Task("steal", 2, 1, 0), "Seat 2 has to steal 1 card from seat 0."),
    (Task("order", 2), "Seat 2 says which Law comes next."),
)


@pytest.mark.parametrize(("task", "sentence"), TASKS, ids=[task.kind for task, _ in TASKS])
def test_the_page_and_the_picture_name_the_awaited_task(task: Task, sentence: str) -> None:
    view = replace(opening(), agenda=(Task("turn", 1), task), to_act=(2,))
    assert sentence in ENGINE.text(view)
    assert sentence in " ".join(picture_lines(view))


def test_several_awaited_players_share_a_sentence() -> None:
    view = replace(opening(), agenda=(Task("contribute", 1, 2),), to_act=(0, 2))
    assert "Seats 0 and 2 choose 2 cards for the empty draw pile" in ENGINE.text(view)


TURNS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"takes": 2}, "is on turn and takes 2 cards."),
    ({"takes": 0}, "has taken all cards of the turn, and may go on to its end."),
    ({"takes": 0, "discards": 1}, "ends the turn and has to discard 1 card."),
    (
        {"takes": 0, "discards": 1, "duties": ("pass_left", "discard_down")},
        "has to discard 1 card, pass to the left and discard down to the limit.",
    ),
)


@pytest.mark.parametrize(("changes", "sentence"), TURNS)
def test_the_sentence_of_a_turn_names_its_duties(changes: dict[str, Any], sentence: str) -> None:
    assert sentence in " ".join(ENGINE.text(replace(opening(), **changes)).split())


def test_the_page_names_the_actions_out_of_turn() -> None:
    assert "Anybody may play a Bill." in ENGINE.text(opening())
    laws = ((Law("AD", None), Law("AS", 2)), (), ())
    view = replace(opening(), laws=laws)
    sentence = (
        "Anybody may play a Bill, or trade, or top the discard pile out of turn (seat 2 only)."
    )
    assert sentence in " ".join(ENGINE.text(view).split())


def test_the_page_has_the_sizes_of_Bills_for_all_or_each_player() -> None:
    assert "A Bill is 3 of a kind, a straight of 4 or a flush of 5." in ENGINE.text(opening())
    view = replace(opening(), sizes=((3, 4, 5), (2, 0, 5), (3, 4, 5)))
    sentence = (
        "For seats 0 and 2, a Bill is 3 of a kind, a straight of 4 or a flush of 5. "
        "For seat 1, a Bill is 2 of a kind"
    )
    assert sentence in " ".join(ENGINE.text(view).split())
    view_without_bills = replace(opening(), sizes=((0, 0, 0),) * 3)
    assert "A Bill is impossible." in ENGINE.text(view_without_bills)


@pytest.mark.parametrize(
    ("laws", "raised", "needed", "sentence"),
    [
        ({0: "QS 7D"}, 1, 5, "5 Laws win: 4 and 1 more since Q♠ was collected."),
        ({1: "7D"}, 4, 8, "8 Laws win: 4 and 4 more since Q♠ was collected."),
        ({1: "JC"}, 0, 6, "6 Laws win: 4 and 2 more by J♣."),
        ({1: "JC JS"}, 2, 10, "10 Laws win: 4, 2 more since Q♠ was collected and 4 more by J♣."),
    ],
)
def test_the_page_and_the_picture_say_why_more_Laws_are_needed(
    laws: dict[int, str], raised: int, needed: int, sentence: str
) -> None:
    state = table(["2S", "3S"], laws)
    for seat in range(2):
        state.raised[seat] = raised
    view = view_of(state, 0)
    assert view.needed == (needed, needed)
    for each in (view, replace(view, to_act=(), winners=(0,), ending="laws")):
        assert sentence in " ".join(ENGINE.text(each).split())
        assert sentence in " ".join(picture_lines(each))


def test_who_needs_more_Laws_alone_is_named() -> None:
    view = view_of(table(["2S", "3S"], {0: "JC"}, bound={"JC": 1}), 0)
    sentence = "For seat 0, 4 Laws win. For seat 1, 6 Laws win: 4 and 2 more by J♣."
    assert sentence in " ".join(ENGINE.text(view).split())


def test_the_usual_number_of_Laws_has_no_reason() -> None:
    assert "Laws win:" not in ENGINE.text(opening())


def test_sealed_choices_are_counted_and_only_the_viewers_own_is_named() -> None:
    view = opening(3, 1)
    sealed = replace(view, to_act=(0,), chosen_sizes=(0, 1, 1), chosen=view.hand[:1])
    page = ENGINE.text(replace(sealed, agenda=(Task("contribute", 1, 1),)))
    assert "Sealed: seats 1 and 2." in page
    assert f"You chose {card_sign(CARD_CODES.index(view.hand[0]))}." in page
    assert picture_lines(sealed).count("answered") == 2


def test_the_page_names_pending_triggers_and_the_approaching_end() -> None:
    view = replace(opening(), triggers=(Trigger(0, "9S", ("7S", "6D")),), quiet=149)
    page = ENGINE.text(view)
    assert "Set off, and still to come: 7♠, 6♦." in page
    assert "If nobody collects a Law in 2 more turns, most Laws win." in page


def test_known_hidden_cards_are_marked_until_the_end() -> None:
    eye = "M-11 0Q0-14 11 0Q0 14-11 0Z"
    view = replace(opening(), known=(Known(0, opening(3, 0).hand),), draw_top=("9S",))
    assert ENGINE.svg(view).count(eye) == 3
    assert ENGINE.svg(replace(view, to_act=(), winners=(2,), ending="laws")).count(eye) == 1


@pytest.mark.parametrize(
    ("winners", "ending", "sentence"),
    [
        ((2,), "laws", "Seat 2 wins with 0 of 4 Laws."),
        ((1,), "straight_flush", "Seat 1 wins with a straight flush."),
        ((0, 2), "impossible", "Seats 0 and 2 share the victory with most Laws, as nobody can"),
        ((0,), "stalemate", "Seat 0 wins with most Laws, as nobody has collected one for fifty"),
        ((0,), "too_long", "Seat 0 wins with most Laws, as the game has gone on for too long."),
    ],
)
def test_the_end_names_the_winners(winners: tuple[int, ...], ending: str, sentence: str) -> None:
    view: View = replace(opening(), to_act=(), agenda=(), winners=winners, ending=ending)  # type: ignore[arg-type]
    assert sentence in " ".join(ENGINE.text(view).split())
    assert sentence in " ".join(picture_lines(view))
    assert picture_lines(view).count("wins") == len(winners)


def test_the_page_has_the_viewers_hand_by_rank_too() -> None:
    state = table(["2H 9S 9C 2D", "3C 10H JD 4S"])
    page = ENGINE.text(ENGINE.view(state, 0))
    assert [line for line in page.splitlines() if "by rank" in line] == [
        "  by rank       2♥ 2♦ 9♠ 9♣"
    ]
    assert "by rank" not in ENGINE.text(ENGINE.view(state, None))


def test_the_picture_has_the_size_of_each_hand() -> None:
    state = table(["2H 9S 9C 2D 3C", "10H JD 4S"])
    picture = ENGINE.svg(ENGINE.view(state, None))
    assert ">5 cards<" in picture
    assert ">3 cards<" in picture


def test_equal_ranks_lie_side_by_side() -> None:
    state = table(["2H 9S 9C 2D", "10H JD 4S"])
    view = ENGINE.view(state, 0)
    assert status_text.cards_by_rank(view.hand) == ["2H", "2D", "9S", "9C"]
