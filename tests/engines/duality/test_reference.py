"""Duality against the reference: the same paths, connections and legal actions in positions of
random games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tabularium_engines.common.bits import bit, members
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duality import ENGINE
from tabularium_engines.duality.board import row_and_column
from tabularium_engines.duality.cards import CARD_CODES
from tabularium_engines.duality.game_logic import DualityState
from tabularium_engines.duality.game_options import File, Options
from tabularium_engines.duality.legal_plays import legal_plays
from tabularium_engines.duality.paths import longest_path_length, winning_path
from tests.engines.duality.tables import reference_board

FILES: tuple[File, ...] = (2, 3, 4, 5, 6, 7)
# positions in the long run: 26,000 in total
MAX_POSITIONS = {2: 2000, 3: 12000, 4: 2000, 5: 5000, 6: 2000, 7: 3000}


def positions(file: File, count: int) -> Iterator[DualityState]:
    """A number of positions from random games, final positions included."""
    seed = 0
    while count > 0:
        rng = FastRng(seed)
        state = ENGINE.start(Options(file), 2, rng)
        while count > 0:
            yield state
            count -= 1
            if not state.to_act:
                break
            seat = ENGINE.awaited_seats(state)[0]
            state.apply(seat, state.random_action(seat, rng), rng)
        seed += 1


def reference_plays(state: DualityState, seat: int, codes: list[Any]) -> set[tuple[Any, ...]]:
    """Actions in the form of the reference."""
    actions = [ENGINE.decode(state, seat, play) for play in codes]
    return {(p.kind, p.card, p.turned, p.row, p.column) for p in actions}


@pytest.mark.lane("slow", core=1)
@pytest.mark.parametrize("file", FILES)
def test_paths_connections_and_plays_are_those_of_the_reference(
    file: File, games_count: Callable[[int, int], int]
) -> None:
    for state in positions(file, games_count(60, MAX_POSITIONS[file])):
        board, reference = state.board, reference_board(state.board)
        for place in board.occupied_places():
            cell = row_and_column(place)
            assert board.connections_at(place) == reference.connection_count(cell)
        for seat in range(2):
            assert longest_path_length(board, seat) == reference.longest_path(seat)
            assert (winning_path(board, seat) != []) == reference.is_complete(seat)
            hand = [CARD_CODES[card] for card in members(state.hidden.hands[seat])]
            play_codes = legal_plays(board, seat, state.hidden.hands[seat])
            assert len(set(play_codes)) == len(play_codes)
            assert reference_plays(state, seat, play_codes) == reference.legal_plays(seat, hand)


@pytest.mark.parametrize("file", FILES)
def test_the_game_ends_when_the_reference_finds_a_complete_path(
    file: File, games_count: Callable[[int, int], int]
) -> None:
    for state in positions(file, games_count(400, MAX_POSITIONS[file])):
        is_complete = [reference_board(state.board).is_complete(seat) for seat in range(2)]
        assert any(is_complete) == (ENGINE.view(state, None).ending == "connection")
        if any(is_complete):
            assert is_complete[state.winner]


def test_every_card_of_the_deck_has_the_plays_of_the_reference() -> None:
    for state in positions(5, 8):
        for card in range(54):
            reference = reference_board(state.board).legal_plays(0, [CARD_CODES[card]])
            assert reference_plays(state, 0, legal_plays(state.board, 0, bit(card))) == reference
