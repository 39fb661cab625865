"""OpenSpiel's searches get a fair task, and the duel is scored correctly."""

from __future__ import annotations

import pytest

pytest.importorskip("pyspiel")

from bench import openspiel_contestant, openspiel_duel
from bench.connect_four import ConnectFour
from bench.search_positions import OPENSPIEL_CARDS_PLAYED


@pytest.mark.parametrize("name", openspiel_contestant.UCT_BY_CARD_GAME)
def test_card_games_are_searched_where_there_is_a_choice(name: str) -> None:
    for state in openspiel_contestant.card_game_states(name):
        assert len(state.legal_actions()) > 1
        assert not state.is_chance_node()


def test_euchre_is_searched_in_the_first_trick() -> None:
    card_counts = [
        state.num_cards_played() for state in openspiel_contestant.card_game_states("euchre")
    ]
    assert card_counts == list(OPENSPIEL_CARDS_PLAYED)
    assert max(card_counts) < 4


def test_a_duel_ends_in_a_win_a_draw_or_a_loss() -> None:
    assert {openspiel_duel.play_duel(ConnectFour(), game, simulations=20) for game in range(4)} <= {
        0.0,
        0.5,
        1.0,
    }
