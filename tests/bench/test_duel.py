"""Are OpenSpiel's searches asked fairly, and is the duel counted right?"""

from __future__ import annotations

import pytest

pytest.importorskip("pyspiel")

from bench import duel, spiel
from bench.connect_four import ConnectFour
from bench.positions import EUCHRE_CARDS


def test_euchre_is_searched_in_the_first_trick() -> None:
    for seed, cards in enumerate(EUCHRE_CARDS):
        state = spiel.euchre_after(cards, seed)
        assert state.num_cards_played() == cards < 4
        assert len(state.legal_actions()) > 1
        assert not state.is_chance_node()


def test_a_duel_ends_in_a_win_a_draw_or_a_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel, "SIMULATIONS", 20)
    assert {duel.play(ConnectFour(), game) for game in range(4)} <= {0.0, 0.5, 1.0}
