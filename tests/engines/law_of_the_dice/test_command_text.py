"""The printed command language: each command means one offer, and each offer has a command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tabularium_engines.base import IllegalAction
from tabularium_engines.common.playing_cards import CARD_CODES
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law_of_the_dice import ENGINE
from tabularium_engines.law_of_the_dice.cards import die_of
from tabularium_engines.law_of_the_dice.command_text import Wish, read_command
from tabularium_engines.law_of_the_dice.game_logic import DiceState
from tests.engines.law_of_the_dice.tables import table

POSITIONS = 120
TABLET = {0: {1: ("2D", 20), 2: (None, 6), 3: (None, 5)}}


def offers(state: DiceState, wish: Wish, seat: int = 0) -> list[dict[str, Any]]:
    """The legal actions that a wish may mean."""
    documents = [ENGINE.action_json(state, seat, code) for code in state.legal_actions(seat)]
    return [document for document in documents if wish.items() <= document.items()]


def meant(state: DiceState, line: str, seat: int = 0) -> dict[str, Any] | None:
    """The one offer that a command means; None if it is not allowed now."""
    found = offers(state, read_command(ENGINE.view(state, seat), line)[0], seat)
    assert len(found) <= 1, line
    return found[0] if found else None


def play_out(state: DiceState, line: str, seat: int = 0) -> list[dict[str, Any]]:
    """The actions that a command takes, one after the other, each the only offer that is meant."""
    taken = []
    for wish in read_command(ENGINE.view(state, seat), line):
        (document,) = offers(state, wish, seat)
        state.apply(seat, ENGINE.encode(state, seat, document), FastRng(7))
        taken.append(document)
    return taken


def act(kind: str, **members: Any) -> dict[str, Any]:
    """An action's JSON."""
    return {"type": f"law_of_the_dice.{kind}", **members}


def positions() -> Iterator[tuple[DiceState, int]]:
    """Positions of random games in which a seat takes one of its two actions."""
    rng, found = FastRng(11), 0
    while found < POSITIONS:
        state = ENGINE.start(ENGINE.about.options(), 2 + found % 5, rng)
        for _ in range(300):
            if state.to_act == 0:
                break
            seat = ENGINE.awaited_seats(state)[0]
            if ENGINE.view(state, None).agenda[-1].kind == "act":
                found += 1
                yield state, seat
            state.apply(seat, state.random_action(seat, rng), rng)


def commands(hand: tuple[str, ...]) -> Iterator[str]:
    """Every command of a player who takes an action, without answers to later decisions."""
    yield "draw"
    for index, card in enumerate(hand, start=1):
        yield f"play {index}"
        for slot in (1, 2, 3):
            if die_of(CARD_CODES.index(card)) == 0:
                yield f"law {index} -slot {slot}"
            else:
                yield f"law {index} -slot {slot} -position act"
                yield f"law {index} -slot {slot} -position num"
                yield f"law {index} -slot {slot} -position num -roundUp"


def test_every_offer_has_a_command_and_every_command_means_one_offer() -> None:
    for state, seat in positions():
        hand = ENGINE.view(state, seat).hand
        found = [meant(state, line, seat) for line in commands(hand)]
        legal = [ENGINE.action_json(state, seat, code) for code in state.legal_actions(seat)]
        assert all(document in found for document in legal)
        never_legal = [document for document in found if document and document not in legal]
        assert not never_legal


def test_the_printed_example_puts_the_second_card_into_the_third_slot() -> None:
    state = table(["2S 7S 8H", "3C"])
    assert meant(state, "law 2 -slot 3") == act("enact", card="7S", slot=3)


@pytest.mark.parametrize("line", ["p 2", "PLAY 2", "play 7s", "play 7♠"])
def test_a_card_is_named_by_its_place_or_its_name(line: str) -> None:
    assert meant(table(["2S 7S 8H", "3C"]), line) == act("play", card="7S")


def test_a_dice_card_without_a_position_is_asked_about() -> None:
    state = table(["9S", "3C"])
    (wish,) = read_command(ENGINE.view(state, 0), "l 1 -slot 2")
    assert [offer["type"] for offer in offers(state, wish)] == [
        "law_of_the_dice.enact",
        "law_of_the_dice.put_number",
    ]


def test_a_slot_that_is_not_named_is_asked_about() -> None:
    state = table(["7S", "3C"])
    (wish,) = read_command(ENGINE.view(state, 0), "law 1")
    assert [offer["slot"] for offer in offers(state, wish)] == [1, 2, 3]


@pytest.mark.parametrize(("words", "number"), [("", 5), (" -roundUp", 7)])
def test_the_nearest_free_number_is_the_lower_one_unless_rounded_up(
    words: str, number: int
) -> None:
    state = table(["KS", "3C"], {0: {1: (None, None), 2: (None, 6), 3: (None, 20)}})
    line = f"law 1 -slot 1 -position num{words}"
    assert meant(state, line) == act("put_number", card="KS", slot=1, number=number)


@pytest.mark.parametrize(
    ("hands", "line", "then"),
    [
        (["3S", "2C"], "play 1 -slot 2 -up", act("shift_number", slot=2, number=7)),
        (["3S", "2C"], "play 1 -slot 3", act("shift_number", slot=3, number=4)),
        (["3S", "2C"], "play 1 -slot 2", act("shift_number", slot=2, number=7)),  # 5 is taken
        (["4S", "2C", "2H"], "play 1 -target 2", act("target", seat=2)),
        (["6S", "2C", "2H"], "play 1 -target 1", act("target", seat=1)),
        (["5S", "2C"], "play 1 -slots 3 1", act("swap_numbers", slot=1, other=3)),
    ],
)
def test_options_answer_the_next_decision(
    hands: list[str], line: str, then: dict[str, Any]
) -> None:
    state = table(hands, TABLET)
    assert play_out(state, line) == [act("play", card=hands[0]), then]


def test_an_eight_names_the_player_and_the_card_given() -> None:
    state = table(["8S 9H 10H", "2C", "2H"])
    assert play_out(state, "play 1 -target 1 -give 2")[1:] == [
        act("target", seat=1),
        act("give", card="9H"),
    ]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("play", "bad-command"),
        ("play 1 2", "bad-command"),
        ("draw 1", "bad-command"),
        ("play 0", "bad-card"),
        ("play 5", "bad-card"),
        ("play 9C", "bad-card"),
        ("play ²", "bad-card"),
        ("law 1 -slot 4", "bad-slot"),
        ("law 1 -slot", "bad-option"),
        ("law 1 -lost 4", "bad-option"),
        ("law 1 slot 2 2", "bad-command"),
        ("law 1 -slot 2 2", "bad-option"),
        ("law 1 -position act", "bad-option"),
        ("law 3 -position law", "bad-position"),
        ("play 1 -target 1", "bad-option"),
        ("play 2 -target 3", "bad-target"),
        ("play 2 -target 1 -give 2", "bad-give"),
        ("play 4 -up", "bad-slot"),
        ("play 4 -slot 1", "bad-slot"),
    ],
)
def test_a_wrong_command_is_refused_with_a_code(line: str, code: str) -> None:
    state = table(["2S 8S KS 3D", "3C"])
    with pytest.raises(IllegalAction) as refused:
        read_command(ENGINE.view(state, 0), line)
    assert refused.value.code == code


@pytest.mark.parametrize("line", ["", "1", "vote hearts", "-slot 3"])
def test_other_lines_are_no_commands(line: str) -> None:
    assert read_command(ENGINE.view(table(["2S", "3C"]), 0), line) == ()
