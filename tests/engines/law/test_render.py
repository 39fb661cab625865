"""Law's page and picture: they show all of a view, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import count, cycle
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from games.engines.common import svg
from games.engines.common.french_deck import CARD_CODES, card_sign
from games.engines.common.rng import FastRng
from games.engines.law import ENGINE, law_svg, status_text
from games.engines.law.game_options import Options
from games.engines.law.player_svg import PANEL_COLOUR
from games.engines.law.render import BACK_SIGN, PAGE_WIDTH
from games.engines.law.view import Known, Law, Task, Trigger, View
from tests.engines.law.tables import seen, table

SVG = f"{{{svg.XMLNS}}}"
SIGNS = {card_sign(number): code for number, code in enumerate(CARD_CODES)}
VARIANTS = (Options(), Options(deck="introductory"))


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
        able = [seat for seat in range(seats) if state.legal_actions(seat)]
        seat = able[rng.below(len(able))]
        state.apply(seat, state.random_action(seat, rng), rng)


@cache
def sample(seats: int) -> list[Shown]:
    games = (views_of_a_game(seats, options, seed) for options in VARIANTS for seed in (1, 2))
    return [shown(view) for game in games for view in game]


@cache
def opening(seats: int = 3, seat: int | None = 1) -> View:
    """A view from an opening, for tests that alter it."""
    return ENGINE.view(ENGINE.start(Options(), seats, FastRng(1)), seat)


def written(view: View) -> list[str]:
    """All text in the picture itself, line by line."""
    return [line.text or "" for line in shown(view).drawn.iter(f"{SVG}text")]


def tops(view: View) -> list[str]:
    """The top cards of piles, where the viewer knows them."""
    piles = [view.draw_top, *view.discard_piles]
    return [pile[-1] for pile in piles if pile and pile[-1]]


def in_hands(view: View) -> list[str]:
    """The cards in hands that the viewer knows."""
    return [*view.hand, *(card for known in view.known for card in known.cards)]


def collected(view: View) -> list[str]:
    """All collected Laws."""
    return [law.card for own in view.laws for law in own]


# -- every view ---------------------------------------------------------------------------------

each_table = pytest.mark.parametrize("seats", [2, 3, 4])


@each_table
def test_every_view_has_a_page_and_a_picture_that_says_the_same(seats: int) -> None:
    for one in sample(seats):
        assert one.drawn.findtext(f"{SVG}desc") == one.page
        assert one.drawn.findtext(f"{SVG}title") == one.page.splitlines()[0]


@each_table
def test_no_picture_is_large_or_has_an_id_twice_or_uses_what_it_lacks(seats: int) -> None:
    for one in sample(seats):
        assert len(one.picture.encode()) < 120_000
        ids = re.findall(r' id="([^"]+)"', one.picture)
        assert len(set(ids)) == len(ids)
        assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', one.picture)) <= set(ids)


@each_table
def test_exactly_the_cards_in_sight_are_drawn(seats: int) -> None:
    for one in sample(seats):
        view = one.view
        marks = re.findall(r'data-card="(\w+)"', one.picture)
        expected = [*collected(view), *in_hands(view), *tops(view), *view.trash[-3:]]
        assert sorted(marks) == sorted(expected)


@each_table
def test_no_card_is_on_the_page_that_the_viewer_does_not_know(seats: int) -> None:
    for one in sample(seats):
        view = one.view
        piles = [card for pile in (view.draw_top, *view.discard_piles) for card in pile if card]
        chain = [card for trigger in view.triggers for card in trigger.laws]
        known = {*collected(view), *in_hands(view), *piles, *view.trash, *view.removed, *chain}
        signs = re.findall(r"(?:10|[2-9JQKA])[♠♥♦♣]", one.page)
        assert {SIGNS[found] for found in signs} <= known
        assert {*collected(view), *in_hands(view), *tops(view)} <= {SIGNS[sign] for sign in signs}


@each_table
def test_every_other_card_of_a_hand_is_a_back(seats: int) -> None:
    for one in sample(seats):
        hidden = sum(one.view.hand_sizes) - len(in_hands(one.view))
        hands = one.page[one.page.index("Seat", one.page.index("─" * 80, 200)) :]
        assert hands.count(BACK_SIGN) == hidden


@each_table
def test_everything_that_must_be_known_is_written_on_the_page(seats: int) -> None:
    for one in sample(seats):
        view, page = one.view, " ".join(one.page.split())
        assert page.count("▶") == len(view.to_act)
        assert ("on turn)" in page) == bool(view.to_act)
        for own in view.laws:
            assert all(status_text.law_text(view, law) in page for law in own)
        for seat in range(seats):
            assert f"Seat {seat}: {len(view.laws[seat])} of {view.needed[seat]} Laws" in page


@each_table
def test_pages_are_eighty_columns_wide(seats: int) -> None:
    for one in sample(seats):
        lines = one.page.splitlines()
        assert max(map(len, lines)) == PAGE_WIDTH
        assert all(line == line.rstrip() for line in lines)


@each_table
def test_equal_views_have_equal_pages_and_pictures(seats: int) -> None:
    for one in sample(seats)[::9]:
        assert shown(replace(one.view)) == one


@each_table
def test_every_panel_is_within_the_picture_and_none_hides_another(seats: int) -> None:
    for one in sample(seats):
        width, height = map(float, one.drawn.attrib["viewBox"].split()[2:])
        rects = (
            rect.attrib for rect in one.drawn.iter(f"{SVG}rect") if rect.get("fill") == PANEL_COLOUR
        )
        boards = [[float(r[key]) for key in ("x", "y", "width", "height")] for r in rects]
        assert len(boards) == seats
        for x, y, wide, high in boards:
            assert 0 < x < x + wide < width
            assert 0 < y < y + high < height
        for place, (x, y, wide, high) in enumerate(boards):
            for left, top, *_ in boards[place + 1 :]:
                assert not (x <= left < x + wide and y <= top < y + high)


# -- Laws ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", CARD_CODES)
def test_the_longest_text_of_a_Law_fits_on_its_plate(card: str) -> None:
    text = f"Event: {status_text.printed_law_text(card)}" if status_text.has_happened(card) else ""
    for words in (
        text or status_text.printed_law_text(card),
        text or status_text.printed_law_text(card, doubled=True),
    ):
        for room in (law_svg.PLATE_HEIGHT - 6, law_svg.PLATE_HEIGHT - 6 - law_svg.SEAL_LINE_HEIGHT):
            lines, size = law_svg.fit_text(words, 250 - 54, room)
            assert svg.LINE_SPACING * size * len(lines) <= room
            assert all(svg.text_width(line, size) <= 250 - 54 for line in lines)


def test_the_rule_book_has_every_Law_in_these_words() -> None:
    text = Path(law_svg.__file__).with_name("RULES.md").read_text(encoding="utf-8")
    text = text.replace("*", "")
    for card in CARD_CODES:
        assert status_text.printed_law_text(card) in text, card


def test_numbers_are_shown_doubled_where_they_are() -> None:
    view = seen(table(["2S", "3S"], {0: "JS 10D", 1: "7S KD"}), 0)
    assert "discard 2 less" in ENGINE.text(view)
    assert "draw 2." in ENGINE.text(view)
    assert "Choose 1 Law" in ENGINE.text(view)  # numbers of a past Event are no longer doubled
    bound = seen(table(["2S", "3S"], {0: "JS 10D", 1: "7S"}, bound={"JS": 0}), 0)
    assert "discard 1 less" in ENGINE.text(bound)


def test_a_Law_that_binds_one_player_says_so() -> None:
    view = seen(table(["2S", "3S"], {0: "10D"}, bound={"10D": 1}), 0)
    assert "(seat 1 only)" in ENGINE.text(view)
    assert "Seat 1 only" in written(view)


def test_Laws_are_counted_by_tablets_or_in_words() -> None:
    few = seen(table(["2S", "3S"], {0: "10D 8C", 1: "JC"}), 0)
    words = [line for line in written(few) if line.endswith(" Laws")]
    tablets = re.findall(r'width="11" height="15"', ENGINE.svg(few))
    assert [words, len(tablets)] == [[], 12]
    many = written(replace(few, needed=(9, 4)))
    assert [line for line in many if line.endswith(" Laws")] == ["2 of 9 Laws"]


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
def test_the_page_and_the_picture_say_what_the_table_waits_for(task: Task, sentence: str) -> None:
    view = replace(opening(), agenda=(Task("turn", 1), task), to_act=(2,))
    assert sentence in ENGINE.text(view)
    assert sentence in " ".join(written(view))


def test_several_players_are_told_together() -> None:
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
def test_a_turn_is_told_by_what_is_owed(changes: dict[str, Any], sentence: str) -> None:
    assert sentence in " ".join(ENGINE.text(replace(opening(), **changes)).split())


def test_what_may_be_done_out_of_turn_is_said() -> None:
    assert "Anybody may play a Bill." in ENGINE.text(opening())
    laws = ((Law("AD", None), Law("AS", 2)), (), ())
    view = replace(opening(), laws=laws)
    sentence = "Anybody may play a Bill, or trade, or top the discard pile (seat 2 only)."
    assert sentence in ENGINE.text(view)


def test_Bills_are_told_for_all_or_for_each() -> None:
    assert "A Bill is 3 of a kind, a straight of 4 or a flush of 5." in ENGINE.text(opening())
    view = replace(opening(), sizes=((3, 4, 5), (2, 0, 5), (3, 4, 5)))
    each = "for seats 0 and 2 3 of a kind, a straight of 4 or a flush of 5; for seat 1 2 of a kind"
    assert each in " ".join(ENGINE.text(view).split())
    banned = replace(opening(), sizes=((0, 0, 0),) * 3)
    assert "A Bill is impossible." in ENGINE.text(banned)


def test_sealed_choices_are_counted_and_only_the_viewers_own_is_named() -> None:
    view = opening(3, 1)
    sealed = replace(view, to_act=(0,), chosen_sizes=(0, 1, 1), chosen=view.hand[:1])
    page = ENGINE.text(replace(sealed, agenda=(Task("contribute", 1, 1),)))
    assert "Sealed: seats 1 and 2." in page
    assert f"You chose {card_sign(CARD_CODES.index(view.hand[0]))}." in page
    assert written(sealed).count("answered") == 2


def test_what_was_set_off_and_the_nearing_end_are_told() -> None:
    view = replace(opening(), triggers=(Trigger(0, "9S", ("7S", "6D")),), quiet=149)
    page = ENGINE.text(view)
    assert "Set off, and still to come: 7♠, 6♦." in page
    assert "If nobody collects a Law in 2 more turns, most Laws win." in page


def test_hidden_cards_that_the_viewer_knows_are_marked_until_the_end() -> None:
    eye = "M-11 0Q0-14 11 0Q0 14-11 0Z"
    view = replace(opening(), known=(Known(0, opening(3, 0).hand),), draw_top=("9S",))
    assert ENGINE.svg(view).count(eye) == 3
    assert ENGINE.svg(replace(view, to_act=(), winners=(2,), ending="laws")).count(eye) == 1


@pytest.mark.parametrize(
    ("winners", "ending", "sentence"),
    [
        ((2,), "laws", "Seat 2 wins with as many Laws as it takes."),
        ((1,), "straight_flush", "Seat 1 wins with a straight flush."),
        ((0, 2), "impossible", "Seats 0 and 2 share the victory with most Laws, as nobody can"),
        ((0,), "stalemate", "Seat 0 wins with most Laws, as nobody has collected one for fifty"),
        ((0,), "too_long", "Seat 0 wins with most Laws, as the game has gone on for too long."),
    ],
)
def test_the_end_names_the_winners(winners: tuple[int, ...], ending: str, sentence: str) -> None:
    view: View = replace(opening(), to_act=(), agenda=(), winners=winners, ending=ending)  # type: ignore[arg-type]
    assert sentence in " ".join(ENGINE.text(view).split())
    assert sentence in " ".join(written(view))
    assert written(view).count("wins") == len(winners)
