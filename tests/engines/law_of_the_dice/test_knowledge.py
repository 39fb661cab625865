"""Knowledge in views: the cards that players have seen and remember of each other's hands (R30)."""

from __future__ import annotations

from games.engines.common.rng import FastRng
from games.engines.law_of_the_dice import ENGINE
from games.engines.law_of_the_dice.actions import Draw, Enact, Give, Play, Target, Vote
from games.engines.law_of_the_dice.count_scoring import reveal_hands
from games.engines.law_of_the_dice.game_logic import DiceState
from games.engines.law_of_the_dice.view import Known, card_number
from tests.engines.law_of_the_dice.tables import do, seen, table


def known(state: DiceState, seat: int | None) -> dict[int, set[str]]:
    """By seat, the cards that the viewer knows to be in its hand."""
    return {item.seat: set(item.cards) for item in seen(state, seat).known}


def stolen() -> DiceState:
    """A state after seat 0 has stolen the 6H from seat 2, which has three cards left."""
    state = table(["4S 9D", "2S", "6H 7H 8H 9H"])
    do(state, 0, Play("4S"))
    do(state, 0, Target(2), 0)
    return state


def test_R30_thief_and_victim_know_the_stolen_card() -> None:
    state = stolen()
    assert known(state, 2) == {0: {"6H"}}
    assert known(state, 0) == known(state, 1) == known(state, None) == {}
    assert "card" in ENGINE.news(state, 0)[0]
    assert "card" in ENGINE.news(state, 2)[0]
    assert "card" not in ENGINE.news(state, 1)[0]
    assert "card" not in ENGINE.news(state, None)[0]


def test_R30_what_is_played_openly_is_no_longer_in_the_hand() -> None:
    state = stolen()
    do(state, 0, Enact("6H", 1))
    assert known(state, 2) == {}


def test_R30_both_know_what_was_swapped() -> None:
    state = table(["8S 3S 4S", "5H 6H", "2S"])
    do(state, 0, Play("8S"))
    do(state, 0, Target(1))
    do(state, 0, Give("4S"), 1)
    assert known(state, 0) == {1: {"4S"}}
    assert known(state, 1) == {0: {"6H"}}
    assert known(state, 2) == {}


def test_R30_everybody_knows_a_card_taken_from_the_discards() -> None:
    state = table(["7S", "2S", "3S"], discards="KH")
    do(state, 0, Play("7S"))
    assert known(state, 1) == known(state, 2) == known(state, None) == {0: {"KH"}}
    assert known(state, 0) == {}


def test_R30_certainty_ends_when_a_third_may_have_taken_the_card() -> None:
    state = table(["7S 9D", "4S 2S", "3S"], discards="KH")
    do(state, 0, Play("7S"))
    do(state, 0, Draw(), 0)
    steal = table(["KH 9D", "4S 2S", "3S"], turn=1)
    steal.known_cards[2] = steal.known_cards[1] = 1 << card_number("KH")
    do(steal, 1, Play("4S"))
    do(steal, 1, Target(0), 0)
    assert known(steal, 2) == {}
    assert known(steal, 1) in ({}, {0: {"KH"}})


def test_R30_a_hands_only_card_is_known_wherever_it_goes() -> None:
    state = table(["KH", "4S 2S", "3S"], turn=1)
    state.known_cards[2] = 1 << card_number("KH")
    do(state, 1, Play("4S"))
    do(state, 1, Target(0), 0)
    assert known(state, 2) == {1: {"KH"}}


def test_R30_imagined_tables_respect_what_is_known() -> None:
    state = stolen()
    for seed in range(40):
        world = ENGINE.imagine(seen(state, 2), FastRng(seed))
        assert world.hands[0] >> card_number("6H") & 1
    holders = {
        int(ENGINE.imagine(seen(state, 1), FastRng(seed)).hands[0]) >> card_number("6H") & 1
        for seed in range(40)
    }
    assert holders == {0, 1}


def test_R30_at_the_end_all_hands_are_open() -> None:
    state = table(["KH", "4S 2S", "3S"])
    reveal_hands(state)
    assert seen(state).known == (
        *(Known(0, ("KH",)), Known(1, ("2S", "4S"))),
        Known(2, ("3S",)),
    )


def test_a_sealed_vote_is_imagined_anew() -> None:
    state = table(["7S", "2H"], actions=0, pile="2C 3C 4C 5C")
    state.agenda.clear()
    state.agenda.push(8, 0)
    state.advance(FastRng(1))
    do(state, 1, Vote("hearts"))
    votes = {int(ENGINE.imagine(seen(state, 0), FastRng(seed)).votes[1]) for seed in range(60)}
    assert votes == {0, 1, 2, 3}
    assert int(ENGINE.imagine(seen(state, 1), FastRng(1)).votes[1]) == 1
