"""Hand-built Duality tables, and a scripted random number generator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.bits import bit, members
from tabularium_engines.duality import ENGINE
from tabularium_engines.duality.board import Board, place_of, row_and_column
from tabularium_engines.duality.cards import CARD_CODES, FULL_DECK, NO_TILE, card_of
from tabularium_engines.duality.game_logic import DualityState, new_table
from tabularium_engines.duality.view import View, tile_number
from tests.engines.duality.reference_board import ReferenceBoard

BLACK, WHITE = 0, 1


class ScriptedRng(Rng):
    """A random number generator that returns scripted draws; all of them must be used."""

    def __init__(self, values: Sequence[int]) -> None:
        self._values = list(values)

    def below(self, limit: i64) -> i64:
        assert self._values, f"no value is scripted for a draw below {limit}"
        value = self._values.pop(0)
        assert 0 <= value < limit, f"{value} is scripted for a draw below {limit}"
        return value

    def assert_empty(self) -> None:
        assert not self._values, f"unused draws: {self._values}"


def cards(codes: str) -> int:
    """The set of cards named in "D01 D02"."""
    return sum(bit(CARD_CODES.index(card)) for card in codes.split())


def lay_card(board: Board, row: int, column: int, card: str) -> None:
    """Lay a card at a place; a "D07*" lies turned."""
    tile = tile_number(card.removesuffix("*"), card.endswith("*"))
    board.lay(place_of(column, row), tile)


def table(
    file: str,
    hands: tuple[str, str] = ("", ""),
    extra_cards: Mapping[tuple[int, int], str] | None = None,
    *,
    turn: int = BLACK,
    pile: str | None = None,
) -> DualityState:
    """A table with these cards in the file, from Black's home to White's, and with
    `extra_cards` by row and column; "D07*" lies turned. Other cards are in the pile or, if `pile`
    lists its cards, far to the right in row 2, where they affect nothing."""
    state = new_table(len(file.split()))
    state.record_news()
    for row, card in enumerate(file.split(), start=1):
        lay_card(state.board, row, 0, card)
    for (row, column), card in (extra_cards or {}).items():
        lay_card(state.board, row, column, card)
    hidden = state.hidden
    hidden.hands = vec[i64](cards(hand) for hand in hands)
    board_cards = sum(
        bit(card_of(state.board.tile(place))) for place in state.board.occupied_places()
    )
    hidden.pile = FULL_DECK & ~(board_cards | hidden.hands[0] | hidden.hands[1])
    if pile is not None:
        remove_from_pile(state, hidden.pile & ~cards(pile))
    state.to_act = bit(turn)
    assert state.cards() == list(range(54))
    return state


def remove_from_pile(state: DualityState, mask: int) -> None:
    """Move cards from the pile to places where they affect nothing."""
    state.hidden.pile &= ~mask
    for step, card in enumerate(members(mask)):
        state.board.lay(place_of(51 - step, 2), card << 1)


def do(state: DualityState, seat: int, action: Any, *draws: int) -> list[dict[str, Any]]:
    """Apply a legal action with exactly these draws, and return the onlooker's news."""
    script = ScriptedRng(draws)
    state.apply(seat, ENGINE.encode(state, seat, action), script)
    script.assert_empty()
    assert state.cards() == list(range(54))
    return ENGINE.news(state, None)


def legal_actions(state: DualityState, seat: int) -> list[Any]:
    """The seat's legal actions."""
    return [ENGINE.decode(state, seat, code) for code in state.legal_actions(seat)]


def view_of(state: DualityState, seat: int | None = None) -> View:
    """The seat's view of the table."""
    return ENGINE.view(state, seat)


def hand(state: DualityState, seat: int) -> set[str]:
    """The seat's hand."""
    return {CARD_CODES[card] for card in members(state.hidden.hands[seat])}


def card_at(state: DualityState, row: int, column: int = 0) -> str | None:
    """The card at a place, with a star if it is turned; None if the place is empty."""
    tile = state.board.tile(place_of(column, row))
    return None if tile == NO_TILE else CARD_CODES[card_of(tile)] + "*" * int(tile % 2)


def reference_board(board: Board) -> ReferenceBoard:
    """The board in the form of the reference implementation."""
    cards_by_cell = {}
    for place in board.occupied_places():
        tile = board.tile(place)
        cards_by_cell[row_and_column(place)] = (
            CARD_CODES[card_of(tile)],
            tile % 2 == 1,
        )
    return ReferenceBoard(cards_by_cell, int(board.rows))


def news_kinds(news: list[dict[str, Any]]) -> list[str]:
    """The kinds of the news items, in order."""
    return [item["kind"] for item in news]


def connection_count(state: DualityState, row: int, column: int = 0) -> int:
    """The number of connections of the card at a place."""
    return int(state.board.connections_at(place_of(column, row)))
