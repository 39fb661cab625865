"""Law of the Dice's page and picture: they show all of a view, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import count, cycle
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from api import png
from tabularium_engines.common import svg
from tabularium_engines.common.page_text import PAGE_WIDTH
from tabularium_engines.common.playing_card_svg import CARD_HEIGHT
from tabularium_engines.common.playing_cards import CARD_CODES, card_sign
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.seat_text import clockwise
from tabularium_engines.installed.registry import find_engine
from tabularium_engines.law_of_the_dice import ENGINE
from tabularium_engines.law_of_the_dice.card_svg import (
    NAME_SIZE,
    NAME_Y,
    POWER_NAMES,
    PowerCardPainter,
    power_name,
)
from tabularium_engines.law_of_the_dice.game_options import Options, SecondOptions
from tabularium_engines.law_of_the_dice.picture import VISIBLE_DISCARDS
from tabularium_engines.law_of_the_dice.plain_text import MAX_TOP_DISCARDS
from tabularium_engines.law_of_the_dice.player_svg import (
    PANEL_COLOUR,
)
from tabularium_engines.law_of_the_dice.view import Count, Known, Law, Place, Rolled, Task, View

SVG = f"{{{svg.XMLNS}}}"
FONTS = Path(png.__file__).parent / "fonts"
SIGNS = {card_sign(number): code for number, code in enumerate(CARD_CODES)}
VARIANTS = (
    Options(),
    Options(suit_by="die", counted="both", laws_kept=True, points_to_win=10),
    Options(counted="laws", points_to_win=1),
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


def render(view: View) -> Rendering:
    return Rendering(view, ENGINE.text(view), ENGINE.svg(view))


def views_of_a_game(seats: int, options: Options, seed: int) -> Iterator[View]:
    """Views of every viewer in turn, at intervals in a random game and at its end."""
    rng = FastRng(seed)
    state = ENGINE.start(options, seats, rng)
    viewers = cycle((None, *range(seats)))
    for step in count():
        if step % 25 == 0 or state.queue or not state.to_act:
            yield ENGINE.view(state, next(viewers))
        if not state.to_act:
            return
        awaited = ENGINE.awaited_seats(state)
        seat = awaited[rng.below(len(awaited))]
        state.apply(seat, state.random_action(seat, rng), rng)


@cache
def sample(seats: int) -> list[Rendering]:
    games = (views_of_a_game(seats, options, 7) for options in VARIANTS)
    return [render(view) for game in games for view in game]


@cache
def opening(seats: int = 3, seat: int | None = 1) -> View:
    """A view from an opening, for tests that alter it."""
    return ENGINE.view(ENGINE.start(Options(), seats, FastRng(1)), seat)


def picture_lines(view: View) -> list[str]:
    """The lines of text in the picture."""
    return [line.text or "" for line in render(view).root.iter(f"{SVG}text")]


def visible_cards(view: View, discards: int) -> set[str]:
    """The cards that a view shows; of the discard pile, only this many from the top."""
    laws = {law.card for tablet in view.laws for law in tablet if law.card}
    known = {card for known in view.known for card in known.cards}
    return laws | known | set(view.hand) | set(view.discard_pile[-discards:])


# -- every view ---------------------------------------------------------------------------------

each_table = pytest.mark.parametrize("seats", range(2, 7))


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
def test_exactly_the_visible_cards_are_shown(seats: int) -> None:
    for rendering in sample(seats):
        marks = Counter(re.findall(r'data-card="(\w+)"', rendering.picture))
        assert marks == Counter(visible_cards(rendering.view, VISIBLE_DISCARDS))
        signs = re.findall(r"(?:10|[2-9JQKA])[♠♥♦♣]", rendering.page)
        assert {SIGNS[found] for found in signs} == visible_cards(rendering.view, MAX_TOP_DISCARDS)


@each_table
def test_every_other_card_of_a_hand_is_a_back(seats: int) -> None:
    for rendering in sample(seats):
        known = sum(len(known.cards) for known in rendering.view.known)
        hidden = sum(rendering.view.hand_sizes) - len(rendering.view.hand) - known
        pile = (rendering.view.draw_pile + 11) // 12
        assert len(re.findall(r'href="#\w+-back"', rendering.picture)) == hidden + pile
        assert rendering.page.count("▒") == hidden


@each_table
def test_the_page_shows_points_piles_and_numbers(seats: int) -> None:
    for rendering in sample(seats):
        view, page = rendering.view, rendering.page
        assert page.count("●") == sum(view.points)
        assert page.count("●") + page.count("○") == view.options.points_to_win * seats
        assert page.count("▶") == len(view.to_act)
        assert f"Draw pile:    {view.draw_pile} card" in page
        assert f"Discard pile: {len(view.discard_pile)} card" in page
        assert ("on turn" in page) == bool(view.to_act)
        numbers = [law.number for tablet in view.laws for law in tablet if law.number]
        assert sorted(map(int, re.findall(r" on (\d+)", page))) == sorted(numbers)


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
def test_every_panel_is_within_the_picture(seats: int) -> None:
    root = render(opening(seats, 0)).root
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    panels = [rect.attrib for rect in root.iter(f"{SVG}rect") if rect.get("fill") == PANEL_COLOUR]
    assert len(panels) == seats
    for panel in panels:
        assert 0 < float(panel["x"]) < width - float(panel["width"])
        assert 0 < float(panel["y"]) < height - float(panel["height"])


# -- single features ----------------------------------------------------------------------------


def test_the_viewer_comes_first_and_the_others_follow_clockwise() -> None:
    assert clockwise(3, 5) == [3, 4, 0, 1, 2]
    assert clockwise(None, 5) == [0, 1, 2, 3, 4]
    seats_on_page = re.findall(r"Seat (\d) +○", ENGINE.text(opening(5, 3)))
    assert seats_on_page == list("34012")
    assert [line for line in picture_lines(opening(5, 3)) if line.startswith("Seat")][:5] == [
        *("Seat 3 (you)", "Seat 4", "Seat 0", "Seat 1", "Seat 2"),
    ]


TASKS = (
    (Task("act", 2), "Seat 2 plays a card, enacts a law or draws (action 2 of 2)."),
    (Task("close", 2), "Seat 2 ends the turn and may call a count."),
    (Task("target", 2, power="6"), "Seat 2 chooses a target for the 6: make another player"),
    (Task("shift", 2), "Seat 2 raises or lowers one of their numbers by 1."),
    (Task("swap", 2), "Seat 2 chooses two of their numbers to swap."),
    (Task("discard", 2), "Seat 2 chooses a card to discard."),
    (Task("give", 2, recipient=0), "Seat 2 chooses a card to give to seat 0."),
    (Task("roll", 2, die=12), "Seat 2 may roll the d12."),
    (Task("vote", 0), "Seat 2 has to vote for the suit to be counted."),
    (Task("last_word", 2, suits=("spades", "clubs")), "Seat 2 settles the tie between spades and"),
)


@pytest.mark.parametrize(("task", "sentence"), TASKS, ids=[task.kind for task, _ in TASKS])
def test_the_page_and_the_picture_name_the_awaited_task(task: Task, sentence: str) -> None:
    view = replace(opening(), agenda=(Task("end", 1), task), to_act=(2,))
    assert sentence in ENGINE.text(view)
    assert sentence in " ".join(picture_lines(view))


def test_the_first_of_two_actions_is_numbered() -> None:
    assert "action 1 of 2" in ENGINE.text(opening())


def test_a_die_that_may_be_rolled_is_shown_before_the_dice_of_the_turn() -> None:
    rolled = (Rolled(0, 20, 17), Rolled(2, 8, 5))
    view = replace(opening(), agenda=(Task("roll", 0, die=6),), to_act=(0,), rolled=rolled)
    assert " ? d6? 5 17 " in " ".join(picture_lines(view))
    assert "Dice:      seat 0 d20 → 17, seat 2 d8 → 5" in ENGINE.text(view)


def test_the_last_die_is_shown_with_its_roller() -> None:
    view = replace(opening(), rolled=(Rolled(0, 20, 17), Rolled(2, 8, 5)))
    assert " 5 seat 2: d8 17 " in " ".join(picture_lines(view))


def test_votes_are_sealed_but_for_the_viewers_own() -> None:
    task = Task("vote", 0)
    view = replace(opening(), agenda=(task,), to_act=(2,), voted=(0, 1), vote="hearts", caller=0)
    assert "Sealed votes: seats 0 and 1. You voted for hearts." in ENGINE.text(view)
    assert picture_lines(view).count("voted") == 2
    onlooker_view = replace(view, seat=None, hand=(), vote=None)
    assert "hearts" not in ENGINE.text(onlooker_view)
    own, others = (len(re.findall(r'href="#\w+-H"', ENGINE.svg(v))) for v in (view, onlooker_view))
    assert own - others >= 1


def test_a_pending_count_names_its_caller() -> None:
    view = replace(opening(), caller=2)
    assert "Seat 2 has called a count." in ENGINE.text(view)
    assert "called" in picture_lines(view)


def view_with_chain() -> View:
    """Two laws of seat 0, one of which has fired while the other waits."""
    laws = ((Law("KC", 3), Law("AS", 9), Law(None, None)), *opening().laws[1:])
    places = Place(0, 1), Place(0, 2)
    return replace(opening(seat=None), laws=laws, fired=places, waiting=places[1:])


def test_waiting_laws_are_numbered_and_fired_laws_are_dimmed() -> None:
    page = ENGINE.text(view_with_chain())
    assert "K♣ on 3 (fired)" in page
    assert "A♠ on 9 (waits)" in page
    assert "To fire:   law 2 of seat 0 (A♠)" in page
    dimmed_codes = re.findall(
        r'<g opacity="0.45"><g[^>]+><g><g data-card="(\w+)"', ENGINE.svg(view_with_chain())
    )
    assert dimmed_codes == ["KC"]


def test_cards_known_of_others_are_marked_until_the_end() -> None:
    view = replace(opening(), known=(Known(0, ("7S", "10H")),))
    final_picture = ENGINE.svg(replace(view, to_act=(), winners=(2,)))
    assert ENGINE.svg(view).count("M-11 0Q0-14 11 0Q0 14-11 0Z") == 2
    assert "M-11 0Q0-14 11 0Q0 14-11 0Z" not in final_picture


@pytest.mark.parametrize(
    ("winners", "sentence"),
    [
        ((2,), "Seat 2 wins with 3 points after 0 counts."),
        ((0, 2), "Seats 0 and 2 share the victory with 3 points after 0 counts."),
    ],
)
def test_the_end_names_the_winners(winners: tuple[int, ...], sentence: str) -> None:
    points = tuple(3 * (seat in winners) for seat in range(3))
    view = replace(opening(), to_act=(), agenda=(), points=points, winners=winners)
    assert sentence in ENGINE.text(view)
    assert sentence in " ".join(picture_lines(view))
    assert picture_lines(view).count("wins") == len(winners)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (VARIANTS[0], "Hands are counted, a vote names the suit, 3 points to win."),
        (
            VARIANTS[1],
            "Hands and laws are counted, a d4 names the suit, laws stay after a count, 10",
        ),
        (VARIANTS[2], "Laws are counted, a vote names the suit, 1 point to win."),
    ],
)
def test_the_variant_is_named(options: Options, sentence: str) -> None:
    assert sentence in ENGINE.text(replace(opening(), options=options))


@each_table
def test_even_the_longest_message_ends_before_the_viewers_panel(seats: int) -> None:
    all_seats = tuple(range(seats))
    vote_view = replace(opening(seats, 0), agenda=(Task("vote", 0),), to_act=all_seats, caller=1)
    view = replace(vote_view, options=VARIANTS[1], counts=100, voted=all_seats[1:], vote="diamonds")
    assert_message_is_between_panels(ENGINE.svg(view))


def test_the_longest_message_of_two_legs_ends_before_the_viewers_panel() -> None:
    engine = find_engine("law_of_the_dice", 2)
    options = SecondOptions("vote", "both", True, 10, "left_of_starter", "next", 2)
    view = engine.view(engine.start(options, 2, FastRng(1)), None)
    last_count, opened = Count("diamonds", (0, 0), ()), ("spades", "diamonds")
    second_leg = replace(view, leg=2, first_points=(10, 10), counts=100, last_count=last_count)
    assert_message_is_between_panels(engine.svg(replace(second_leg, opened=opened, caller=1)))


def assert_message_is_between_panels(picture: str) -> None:
    """The last line of the message begins above the panel of the viewer, and at a table of two its
    first one below the other panel."""
    root = ET.fromstring(picture)
    own, other, *more = (r for r in root.iter(f"{SVG}rect") if r.get("fill") == PANEL_COLOUR)
    message = [group for group in root.iter(f"{SVG}g") if group.get("font-style") == "italic"]
    assert float(message[0][-1].attrib["y"]) < float(own.attrib["y"])
    if not more:
        end = float(other.attrib["y"]) + float(other.attrib["height"])
        (headline,) = (g for g in root.iter(f"{SVG}g") if g.get("font-weight") == "bold")
        assert float(headline[0].attrib["y"]) - float(headline[0].attrib["font-size"]) > end


@pytest.mark.parametrize("rank", [*POWER_NAMES, "K"])
def test_the_name_of_a_power_ends_within_its_card(rank: str) -> None:
    fonts = pytest.importorskip("PIL.ImageFont")
    picture = PowerCardPainter(svg.ID_PREFIX).face(f"{rank}H")
    name = next(
        node
        for node in ET.fromstring(f"<svg>{picture}</svg>").iter("text")
        if node.text == power_name(f"{rank}H")
    )
    spacing = float(name.get("letter-spacing", 0)) * len(name.text or "")
    font = fonts.truetype(str(FONTS / "DejaVuSans.ttf"), 10 * NAME_SIZE)
    assert NAME_Y + font.getlength(name.text) / 10 + spacing < CARD_HEIGHT - 6
