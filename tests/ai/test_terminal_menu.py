"""The menu of the terminal: fixed keys, offers by card, typed lines; boards that fit its screen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from ai.terminal.human_turn import BOARD_HELP, KEYS_HELP, SEPARATOR, WAIT_HELP
from ai.terminal.menu import (
    RESERVED_KEYS,
    Offer,
    build_menu,
    fixed_keys,
    offers_typed,
    render_menu,
)
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.law_of_the_dice import ENGINE as DICE
from tests.engines.law_of_the_dice.tables import table

WIDTH, HEIGHT = 80, 24  # of a small terminal
ALL_ENGINES = [*ENGINES.values()]


def slug_of(engine: AnyEngine) -> str:
    """The name of a test's engine."""
    return engine.about.slug


def positions(engine: AnyEngine, seed: int, most: int, **options: object) -> Iterator[State]:
    """Positions of one random game."""
    rng = FastRng(seed)
    state = engine.start(engine.about.options(**options), engine.about.seats[0], rng)
    for _ in range(most):
        if state.to_act == 0:
            return
        yield state
        seat = engine.awaited_seats(state)[0]
        state.apply(seat, state.random_action(seat, rng), rng)


def menus(engine: AnyEngine) -> Iterator[list[Offer]]:
    """The menus of a random game."""
    for state in positions(engine, seed=3, most=60):
        seat = engine.awaited_seats(state)[0]
        yield build_menu(engine, state, seat, state.legal_actions(seat))


def dice_menu(state: State) -> list[Offer]:
    """The menu of seat 0 in Law of the Dice."""
    return build_menu(DICE, state, 0, state.legal_actions(0))


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_keys_are_letters_that_the_terminal_leaves_free(engine: AnyEngine) -> None:
    keys = [*fixed_keys(engine).values()]
    assert len(set(keys)) == len(keys)
    assert all(len(key) == 1 and key not in RESERVED_KEYS for key in keys)


def test_the_keys_of_law_of_the_dice() -> None:
    keys = {kind.kind: key for kind, key in fixed_keys(DICE).items()}
    assert keys == {"draw": "d", "call_count": "c", "end_turn": "e", "roll": "r", "decline": "l"}


@pytest.mark.lane("slow")
@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_every_offer_is_numbered_listed_and_reached_by_number_key_label_and_json(
    engine: AnyEngine,
) -> None:
    for menu in menus(engine):
        assert [offer.number for offer in menu] == [*range(1, len(menu) + 1)]
        plain = "\n".join(render_menu(menu, 1))
        for offer in menu:
            assert offers_typed(menu, str(offer.number)) == [offer]
            assert offers_typed(menu, offer.key) == [offer]
            assert f"{offer.key:>3}  {offer.label}" in plain
            assert offer in offers_typed(menu, offer.label.replace(":", "").replace(",", ""))
            kind, *values = filter(None, map(str, offer.document.values()))
            assert offer in offers_typed(menu, " ".join([kind.partition(".")[2], *values]))


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
@pytest.mark.parametrize("is_cramped", [False, True])
def test_a_menu_shows_every_number(engine: AnyEngine, is_cramped: bool) -> None:
    for menu in menus(engine):
        lines = [*render_menu(menu, WIDTH, is_cramped)]
        words = " ".join(lines).split()
        starts = [word.partition("–") for word in words]
        shown = {
            number
            for first, dash, last in starts
            if first.isdecimal() and (not dash or last.isdecimal())
            for number in range(int(first), int(last or first) + 1)
        }
        assert shown >= {offer.number for offer in menu if offer.key.isdecimal()}
        assert {offer.key for offer in menu if offer.key.isalpha()} <= set(words)


def test_the_offers_of_a_card_share_a_line() -> None:
    state = table(["7S KH", "3C"], {0: {1: ("2D", 20), 2: (None, 6), 3: (None, None)}})
    lines = [*render_menu(dice_menu(state), WIDTH)]
    assert lines == [
        "7♠  1  Play: take the top discard  2  Make law 1, on 20, replacing 2♦",
        "    3  Make law 2, on 6",
        "K♥  4  Play: roll the d6  5  Make law 1, on 20, replacing 2♦",
        "    6  Make law 2, on 6  7–8  Spend to put 5/7 on slot 1",
        "    9  Spend to put 6 on slot 2  10–11  Spend to put 5/7 on slot 3",
        "  d  Draw a card",
    ]


def test_offers_that_differ_in_one_word_are_folded() -> None:
    lines = [*render_menu(dice_menu(table(["7S 8S", "3C"])), WIDTH)]
    assert lines[0] == "7♠  1  Play: take the top discard  2–4  Make law 1/2/3, on 20"


def test_a_card_keeps_its_offers_together_in_the_order_of_the_hand() -> None:
    menu = dice_menu(table(["7S KH 2C", "3C"]))
    cards = [offer.card for offer in menu if offer.card]
    assert [card for card, other in pairwise([*cards, ""]) if card != other] == ["7♠", "K♥", "2♣"]


def test_typed_words_are_whole_words() -> None:
    menu = dice_menu(table(["9S 10S", "3C"]))
    assert [offer.label for offer in offers_typed(menu, "play 10♠")] == ["Play 10♠: roll the d12"]
    assert not offers_typed(menu, "play 1")
    assert len(offers_typed(menu, "play")) == 2
    assert not offers_typed(menu, "")


# -- a terminal of 80 × 24 ------------------------------------------------------------------------


@pytest.mark.parametrize("rows", range(2, 8))
def test_every_part_of_a_duality_board_fits(rows: int) -> None:
    """Below it there must be room for the line that is typed."""
    engine = ENGINES["duality"]
    for state in positions(engine, seed=rows, most=150, file=rows):
        for part in engine.boards(engine.view(state, 0)):
            lines = part.split("\n")
            assert len(lines) == 3 * rows + 1 < HEIGHT
            assert max(map(len, lines)) <= WIDTH


def test_the_help_lines_fit() -> None:
    assert len(SEPARATOR.join([BOARD_HELP, KEYS_HELP])) <= WIDTH
    assert len(WAIT_HELP) <= WIDTH
