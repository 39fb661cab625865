"""Tables of Duality set by hand, and chance that says what a test wants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, members
from games.engines.duality import ENGINE
from games.engines.duality.board import Board, column_of, place_of, row_of
from games.engines.duality.cards import CARD_CODES, NO_TILE, card_code, card_of
from games.engines.duality.game_logic import DualityState
from games.engines.duality.view import View, tile_number
from tests.engines.duality.plain import Plain

BLACK, WHITE = 0, 1


class Script(Rng):
    """Chance that says what was written for it, and must be asked for all of it."""

    def __init__(self, values: Sequence[int]) -> None:
        self._values = list(values)

    def below(self, limit: i64) -> i64:
        assert self._values, f"nothing is written for a draw below {limit}"
        value = self._values.pop(0)
        assert 0 <= value < limit, f"{value} is written for a draw below {limit}"
        return value

    def assert_empty(self) -> None:
        assert not self._values, f"never asked for {self._values}"


def cards(codes: str) -> int:
    """A set of cards out of "D01 D02"."""
    return sum(bit(CARD_CODES.index(card)) for card in codes.split())


def lie(board: Board, row: int, column: int, card: str) -> None:
    """Put a card there; a "D07*" is turned."""
    tile = tile_number(card.removesuffix("*"), card.endswith("*"))
    board.lay(place_of(column, row), tile)


def table(
    file: str,
    hands: tuple[str, str] = ("", ""),
    beside: Mapping[tuple[int, int], str] | None = None,
    *,
    turn: int = BLACK,
    pile: str | None = None,
) -> DualityState:
    """A table with these cards in the file, from Black's home to White's, and beside it by row and
    column; "D07*" lies turned. Other cards are in the pile, or, where `pile` names that, far away
    at the right in row 2, where they are in nobody's way."""
    state = DualityState()
    state.record_news()
    state.init_table(len(file.split()))
    for row, card in enumerate(file.split(), start=1):
        lie(state.board, row, 0, card)
    for (row, column), card in (beside or {}).items():
        lie(state.board, row, column, card)
    state.hands = vec[i64](cards(hand) for hand in hands)
    lying = sum(bit(card_of(state.board.tile(place))) for place in state.board.occupied_places())
    state.pile = cards(" ".join(CARD_CODES)) & ~(lying | state.hands[0] | state.hands[1])
    if pile is not None:
        put_away(state, state.pile & ~cards(pile))
    state.to_act = bit(turn)
    assert state.cards() == list(range(54))
    return state


def put_away(state: DualityState, away: int) -> None:
    """Lay cards where they matter to nobody."""
    state.pile &= ~away
    for step, card in enumerate(members(away)):
        state.board.lay(place_of(51 - step, 2), card << 1)


def do(state: DualityState, seat: int, action: Any, *draws: int) -> list[dict[str, Any]]:
    """Do a legal action with exactly these draws; the news as an onlooker hears it."""
    script = Script(draws)
    state.apply(seat, ENGINE.encode(state, seat, action), script)
    script.assert_empty()
    assert state.cards() == list(range(54))
    return ENGINE.news(state, None)


def legal(state: DualityState, seat: int) -> list[Any]:
    """The seat's legal actions."""
    return [ENGINE.decode(state, seat, code) for code in state.legal_actions(seat)]


def seen(state: DualityState, seat: int | None = None) -> View:
    """The table as the seat sees it."""
    return ENGINE.view(state, seat)


def hand(state: DualityState, seat: int) -> set[str]:
    """The cards that the seat holds."""
    return {card_code(card) for card in members(state.hands[seat])}


def at(state: DualityState, row: int, column: int = 0) -> str | None:
    """What lies there, a turned card with a star."""
    tile = state.board.tile(place_of(column, row))
    return None if tile == NO_TILE else card_code(card_of(tile)) + "*" * int(tile % 2)


def plain(board: Board) -> Plain:
    """The board as the reference knows it."""
    lying = {}
    for place in board.occupied_places():
        tile = board.tile(place)
        lying[int(row_of(place)), int(column_of(place))] = (card_code(card_of(tile)), tile % 2 == 1)
    return Plain(lying, int(board.rows))


def kinds(news: list[dict[str, Any]]) -> list[str]:
    """What happened, in order."""
    return [item["kind"] for item in news]


def connections(state: DualityState, row: int, column: int = 0) -> int:
    """How many connections the card there makes."""
    return int(state.board.connections_at(place_of(column, row)))


File = Literal[3, 5, 7]
