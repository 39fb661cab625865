"""The view of the table: all that a seat or an onlooker may know, without the hidden cards.
`imagine` makes a random state that agrees with a view, for searches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import ONLOOKER_SEAT, Rng
from games.engines.common.bits import bit, count, has, members
from games.engines.common.public_fields import to_ints
from games.engines.duality.actions import Card
from games.engines.duality.board import column_of, place_of, row_of
from games.engines.duality.cards import (
    BLACK,
    CARD_CODES,
    FULL_DECK,
    NO_TILE,
    WHITE,
    card_code,
    card_of,
)
from games.engines.duality.game_logic import DualityState
from games.engines.duality.game_options import Options
from games.engines.duality.paths import Reach, longest_path_length, winning_path
from games.engines.duality.repetition import (
    PASS_RECORD,
    count_occurrences,
    encode_swap,
    laid_tile,
    place_of_swap,
    seat_of_swap,
    taken_tile,
)
from games.engines.duality.table_state import ENDING_NAMES, NO_PLACE, NO_WINNER

Ending = Literal["connection", "passes", "repetition", "limit"]


@dataclass(frozen=True)
class Place:
    """A place on the board: rows count from Black's home, columns from the file."""

    row: int
    column: int


@dataclass(frozen=True)
class Laid:
    """A card on the board."""

    row: int
    column: int
    card: Card
    turned: bool
    connections: int  # a replacement must make at least as many


@dataclass(frozen=True)
class Swapped:
    """A replacement of a card: the seat, the place and both cards."""

    seat: int
    row: int
    column: int
    laid: Card
    laid_turned: bool
    taken: Card
    taken_turned: bool


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it (None: an onlooker). Seat 0 plays Black."""

    seat: int | None
    options: Options
    to_act: tuple[int, ...]
    board: tuple[Laid, ...]  # column by column, each from Black's home
    latest: Place | None  # where a card was laid last
    longest: tuple[int, ...]  # by seat: the cards on the longest path from home
    free: tuple[tuple[Place, ...], ...]  # by seat: empty places where a path may begin or continue
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    known: tuple[tuple[Card, ...], ...]  # by seat: publicly known cards in that hand
    barred: tuple[tuple[Card, ...], ...]  # by seat: cards that are not among its unseen ones
    draw_pile: int
    plies: int  # decisions so far
    history: tuple[Swapped | None, ...]  # decisions since the last new card; None: a pass
    occurrences: int  # of this position; the third ends the game
    ending: Ending | None
    winners: tuple[int, ...]  # both, if neither is ahead
    joined: tuple[Place, ...]  # the winner's path, card by card from home


# -- from the state -----------------------------------------------------------------------------


def view(state: DualityState, seat: int | None) -> View:
    """The view of `seat` (None: an onlooker)."""
    board = state.board
    return View(
        seat=seat,
        options=Options(file=_file_option(board.rows)),
        to_act=to_ints(members(state.to_act)),
        board=tuple(_laid_view(state, place) for place in board.occupied_places()),
        latest=None if state.latest == NO_PLACE else _place_view(state.latest),
        longest=(int(longest_path_length(board, BLACK)), int(longest_path_length(board, WHITE))),
        free=(_free_places(state, BLACK), _free_places(state, WHITE)) if state.to_act else ((), ()),
        hand=() if seat is None else _card_codes(state.hands[seat]),
        hand_sizes=to_ints(count(hand) for hand in state.hands),
        known=tuple(_card_codes(cards) for cards in state.known),
        barred=tuple(_card_codes(cards) for cards in state.barred),
        draw_pile=int(count(state.pile)),
        plies=int(state.plies),
        history=tuple(_history_view(ply) for ply in state.history),
        occurrences=int(count_occurrences(board, state.history)),
        ending=_ending_name(state),
        winners=winners(state),
        joined=_winning_places(state),
    )


def winners(state: DualityState) -> tuple[int, ...]:
    """The winners; both, if neither is ahead at the end."""
    if state.to_act:
        return ()
    return (0, 1) if state.winner == NO_WINNER else (int(state.winner),)


def _file_option(rows: int) -> Literal[3, 5, 7]:
    return 3 if rows == 3 else 5 if rows == 5 else 7


def _card_codes(cards: int) -> tuple[Card, ...]:
    return tuple(card_code(card) for card in members(cards))


def _place_view(place: int) -> Place:
    return Place(int(row_of(place)), int(column_of(place)))


def _laid_view(state: DualityState, place: int) -> Laid:
    tile, where = state.board.tile(place), _place_view(place)
    connections = int(state.board.connections_at(place))
    return Laid(where.row, where.column, card_code(card_of(tile)), tile % 2 == 1, connections)


def _free_places(state: DualityState, seat: int) -> tuple[Place, ...]:
    reach = Reach(state.board, seat)
    places = (
        column << 3 | row
        for column in range(reach.first_column, reach.last_column + 1)
        for row in range(state.board.rows)
    )
    empty = (place for place in places if state.board.tile(place) == NO_TILE)
    return tuple(_place_view(place) for place in empty if reach.ports_at(place))


def _history_view(ply: int) -> Swapped | None:
    if ply == PASS_RECORD:
        return None
    where = _place_view(place_of_swap(ply))
    laid, taken = laid_tile(ply), taken_tile(ply)
    return Swapped(
        seat=int(seat_of_swap(ply)),
        row=where.row,
        column=where.column,
        laid=card_code(card_of(laid)),
        laid_turned=laid % 2 == 1,
        taken=card_code(card_of(taken)),
        taken_turned=taken % 2 == 1,
    )


def _ending_name(state: DualityState) -> Ending | None:
    ended: dict[str, Ending] = {
        "connection": "connection",
        "passes": "passes",
        "repetition": "repetition",
        "limit": "limit",
    }
    return ended.get(ENDING_NAMES[state.ending])


def _winning_places(state: DualityState) -> tuple[Place, ...]:
    if state.ending != ENDING_NAMES.index("connection"):
        return ()
    arrivals = winning_path(state.board, state.winner)
    return tuple(dict.fromkeys(_place_view(arrival >> 3) for arrival in arrivals))


# -- back to a state ----------------------------------------------------------------------------


def imagine(seen: View, rng: Rng) -> DualityState:
    """A state with this view; `rng` samples the hidden cards."""
    state = DualityState()
    state.init_table(seen.options.file)
    for laid in seen.board:
        state.board.lay(place_of(laid.column, laid.row), tile_number(laid.card, laid.turned))
    state.to_act = sum(bit(seat) for seat in seen.to_act)
    state.known = vec[i64](_card_set(cards) for cards in seen.known)
    state.barred = vec[i64](_card_set(cards) for cards in seen.barred)
    state.plies = seen.plies
    state.history = vec[i64](_history_record(ply) for ply in seen.history)
    if seen.latest is not None:
        state.latest = place_of(seen.latest.column, seen.latest.row)
    if seen.ending is not None:
        state.ending = ENDING_NAMES.index(seen.ending)
        state.winner = NO_WINNER if len(seen.winners) > 1 else seen.winners[0]
    _place_hidden_cards(state, seen)
    state.determinize(ONLOOKER_SEAT if seen.seat is None else seen.seat, rng)
    return state


def _place_hidden_cards(state: DualityState, seen: View) -> None:
    """Put an arbitrary card in each hidden position; `determinize` samples them afterwards."""
    state.hands = state.known[:]
    if seen.seat is not None:
        state.hands[seen.seat] = _card_set(seen.hand)
    lying = _card_set(laid.card for laid in seen.board)
    in_sight = lying | int(state.hands[0]) | int(state.hands[1])
    hidden = [card for card in range(len(CARD_CODES)) if not has(in_sight, card)]
    for seat in range(2):
        for _ in range(seen.hand_sizes[seat] - count(state.hands[seat])):
            state.hands[seat] |= bit(hidden.pop())
    state.pile = FULL_DECK & ~(lying | state.hands[0] | state.hands[1])


def tile_number(card: Card, turned: bool) -> int:
    """The tile of a card as it lies."""
    return CARD_CODES.index(card) << 1 | turned


def _card_set(cards: Iterable[Card]) -> int:
    return sum(bit(CARD_CODES.index(card)) for card in cards)


def _history_record(ply: Swapped | None) -> int:
    if ply is None:
        return int(PASS_RECORD)
    laid = tile_number(ply.laid, ply.laid_turned)
    taken = tile_number(ply.taken, ply.taken_turned)
    return int(encode_swap(ply.seat, place_of(ply.column, ply.row), laid, taken))
