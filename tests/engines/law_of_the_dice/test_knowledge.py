"""Knowledge in views: the cards of other hands that each viewer knows (R30)."""

from __future__ import annotations

from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law_of_the_dice import ENGINE
from tabularium_engines.law_of_the_dice.actions import Draw, Enact, Give, Play, Target, Vote
from tabularium_engines.law_of_the_dice.game_logic import DiceState, advance
from tabularium_engines.law_of_the_dice.view import Known, card_number
from tests.engines.law_of_the_dice.tables import do, table, view_of


def known_cards(state: DiceState, seat: int | None) -> dict[int, set[str]]:
    """By seat, the cards that the viewer knows to be in its hand."""
    return {item.seat: set(item.cards) for item in view_of(state, seat).known}


def table_after_theft() -> DiceState:
    """The table after seat 0 has stolen the 6H from seat 2, which has three cards left."""
    state = table(["4S 9D", "2S", "6H 7H 8H 9H"])
    do(state, 0, Play("4S"))
    do(state, 0, Target(2), 0)
    return state


def test_R30_thief_and_victim_know_the_stolen_card() -> None:
    state = table_after_theft()
    assert known_cards(state, 2) == {0: {"6H"}}
    assert known_cards(state, 0) == known_cards(state, 1) == known_cards(state, None) == {}
    assert "card" in ENGINE.news(state, 0)[0]
    assert "card" in ENGINE.news(state, 2)[0]
    assert "card" not in ENGINE.news(state, 1)[0]
    assert "card" not in ENGINE.news(state, None)[0]


def test_R30_a_card_played_face_up_leaves_the_known_hand() -> None:
    state = table_after_theft()
    do(state, 0, Enact("6H", 1))
    assert known_cards(state, 2) == {}


def test_R30_both_players_know_the_swapped_cards() -> None:
    state = table(["8S 3S 4S", "5H 6H", "2S"])
    do(state, 0, Play("8S"))
    do(state, 0, Target(1))
    do(state, 0, Give("4S"), 1)
    assert known_cards(state, 0) == {1: {"4S"}}
    assert known_cards(state, 1) == {0: {"6H"}}
    assert known_cards(state, 2) == {}


def test_R30_a_card_is_unknown_once_it_may_have_been_given_away() -> None:
    state = table(["8S 3S 4S", "5H 6H", "2S"])
    state.deck.known_cards[2] = 1 << card_number("3S") | 1 << card_number("5H")
    do(state, 0, Play("8S"))
    do(state, 0, Target(1))
    do(state, 0, Give("3S"), 0)
    assert known_cards(state, 2) == {}


def test_R30_all_viewers_know_a_card_taken_from_the_discards() -> None:
    state = table(["7S", "2S", "3S"], discards="KH")
    do(state, 0, Play("7S"))
    assert known_cards(state, 1) == known_cards(state, 2) == known_cards(state, None) == {0: {"KH"}}
    assert known_cards(state, 0) == {}


def test_R30_a_card_is_unknown_once_another_player_may_have_taken_it() -> None:
    state = table(["7S 9D", "4S 2S", "3S"], discards="KH")
    do(state, 0, Play("7S"))
    do(state, 0, Draw(), 0)
    before_theft = table(["KH 9D", "4S 2S", "3S"], turn=1)
    before_theft.deck.known_cards[2] = before_theft.deck.known_cards[1] = 1 << card_number("KH")
    do(before_theft, 1, Play("4S"))
    do(before_theft, 1, Target(0), 0)
    assert known_cards(before_theft, 2) == {}
    assert known_cards(before_theft, 1) in ({}, {0: {"KH"}})


def test_R30_the_only_card_of_a_hand_is_known_after_a_theft() -> None:
    state = table(["KH", "4S 2S", "3S"], turn=1)
    state.deck.known_cards[2] = 1 << card_number("KH")
    do(state, 1, Play("4S"))
    do(state, 1, Target(0), 0)
    assert known_cards(state, 2) == {1: {"KH"}}


def test_R30_imagined_tables_respect_known_cards() -> None:
    state = table_after_theft()
    for seed in range(40):
        world = ENGINE.imagine(view_of(state, 2), FastRng(seed))
        assert world.deck.hands[0] >> card_number("6H") & 1
    holders = {
        int(ENGINE.imagine(view_of(state, 1), FastRng(seed)).deck.hands[0]) >> card_number("6H") & 1
        for seed in range(40)
    }
    assert holders == {0, 1}


def test_R30_at_the_end_all_hands_are_open() -> None:
    state = table(["KH", "4S 2S", "3S"])
    state.deck.reveal_hands()
    assert view_of(state).known == (
        *(Known(0, ("KH",)), Known(1, ("2S", "4S"))),
        Known(2, ("3S",)),
    )


def test_a_sealed_vote_is_imagined_independently() -> None:
    state = table(["7S", "2H"], actions=0, pile="2C 3C 4C 5C")
    state.agenda.clear()
    state.agenda.push(8, 0)
    advance(state, FastRng(1))
    do(state, 1, Vote("hearts"))
    votes = {int(ENGINE.imagine(view_of(state, 0), FastRng(seed)).votes[1]) for seed in range(60)}
    assert votes == {0, 1, 2, 3}
    assert int(ENGINE.imagine(view_of(state, 1), FastRng(1)).votes[1]) == 1
