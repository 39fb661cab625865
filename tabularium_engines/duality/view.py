"""The view of the table: all that a seat or an onlooker may know, without the hidden cards.
`imagine` makes a random state that agrees with a view, for searches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import ONLOOKER_SEAT, Rng
from tabularium_engines.common.bits import bit, count, lowest
from tabularium_engines.common.public_fields import PublicFields, to_ints
from tabularium_engines.duality import cards, decision_history
from tabularium_engines.duality.actions import Card
from tabularium_engines.duality.board import Board, empty_board, place_of, row_and_column
from tabularium_engines.duality.game_logic import (
    ENDED_BY_CONNECTION,
    NO_WINNER,
    DualityState,
    Ending,
)
from tabularium_engines.duality.game_options import File, Options
from tabularium_engines.duality.hidden_cards import HiddenCards, undealt_cards
from tabularium_engines.duality.paths import Reach, longest_path_length, winning_path


@dataclass(frozen=True)
class Place:
    """A place on the board: rows count from Black's home, columns from the file."""

    row: int  #: the row, from Black's home
    column: int  #: the column, from the file


@dataclass(frozen=True)
class Laid:
    """A card on the board."""

    row: int  #: the row, from Black's home
    column: int  #: the column, from the file
    card: Card  #: the card
    turned: bool  #: whether it lies turned by half
    connections: int  #: a replacement must make at least as many


@dataclass(frozen=True)
class Swapped:
    """A replacement of a card: the seat, the place and both cards."""

    seat: int  #: who replaced the card
    row: int  #: the row, from Black's home
    column: int  #: the column, from the file
    laid: Card  #: the card that was laid
    laid_turned: bool  #: whether that lies turned by half
    taken: Card  #: the card that went into the hand
    taken_turned: bool  #: whether that lay turned by half


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it (None: an onlooker). Seat 0 plays Black."""

    seat: int | None  #: the viewer's seat; null: an onlooker
    options: Options
    to_act: tuple[int, ...]  #: the seats that must act; empty when the game is over
    board: tuple[Laid, ...]  #: column by column, each from Black's home
    latest: Place | None  #: where a card was laid last
    longest: tuple[int, ...]  #: by seat: the cards on the longest path from home
    free: tuple[tuple[Place, ...], ...]  #: by seat: empty places where a path may begin or continue
    hand: tuple[Card, ...]  #: the viewer's cards; empty for an onlooker
    hand_sizes: tuple[int, ...]  #: by seat: the number of cards in hand
    known: tuple[tuple[Card, ...], ...]  #: by seat: publicly known cards in that hand
    barred: tuple[tuple[Card, ...], ...]  #: by seat: cards that are not among its unseen ones
    draw_pile: int  #: the number of cards in the draw pile
    plies: int  #: decisions so far
    history: tuple[Swapped | None, ...]  #: decisions since the last new card; None: a pass
    occurrences: int  #: of this position; the third ends the game
    ending: Ending | None  #: how the game ended; null before the end
    winners: tuple[int, ...]  #: both, if neither is ahead
    joined: tuple[Place, ...]  #: the winner's path, card by card from home


_FIELDS = PublicFields(View)


# -- from the state -----------------------------------------------------------------------------


def view(state: DualityState, seat: int | None) -> View:
    """The view of `seat` (None: an onlooker)."""
    board, hidden, history = state.board, state.hidden, state.history
    latest = history.latest_place
    return View(
        seat=seat,
        options=Options(cast("File", int(board.rows))),
        **_FIELDS.show(state),
        **_FIELDS.show(hidden),
        **_FIELDS.show(history),
        board=tuple(_laid_view(board, place) for place in board.occupied_places()),
        latest=None if latest == decision_history.NO_PLACE else Place(*row_and_column(latest)),
        longest=to_ints(longest_path_length(board, each) for each in range(2)),
        free=tuple(_free_places(board, each) if state.to_act else () for each in range(2)),
        hand=() if seat is None else tuple(cards.card_codes(hidden.hands[seat])),
        hand_sizes=to_ints(count(hand) for hand in hidden.hands),
        draw_pile=int(count(hidden.pile)),
        history=tuple(_record_view(record) for record in history.records),
        occurrences=int(history.count_occurrences(board)),
        winners=_winners(state),
        joined=_joined_places(state),
    )


def _winners(state: DualityState) -> tuple[int, ...]:
    if state.to_act:
        return ()
    return (0, 1) if state.winner == NO_WINNER else (int(state.winner),)


def _card_as_laid(tile: int) -> tuple[Card, bool]:
    """The card of a tile, and whether it lies turned."""
    return cards.CARD_CODES[cards.card_of(tile)], tile % 2 == 1


def _laid_view(board: Board, place: int) -> Laid:
    card, turned = _card_as_laid(board.tile(place))
    return Laid(*row_and_column(place), card, turned, int(board.connections_at(place)))


def _free_places(board: Board, seat: int) -> tuple[Place, ...]:
    reach = Reach(board, seat)
    columns = range(reach.first_column, reach.last_column + 1)
    places = [column << 3 | row for column in columns for row in range(board.rows)]
    empty = [place for place in places if board.tile(place) == cards.NO_TILE]
    return tuple(Place(*row_and_column(place)) for place in empty if reach.ports_at(place))


def _record_view(record: int) -> Swapped | None:
    if record == decision_history.PASS_RECORD:
        return None
    seat, place, laid, taken = decision_history.decode_swap(record)
    where = row_and_column(place)
    return Swapped(int(seat), *where, *_card_as_laid(laid), *_card_as_laid(taken))


def _joined_places(state: DualityState) -> tuple[Place, ...]:
    is_joined = state.ending == ENDED_BY_CONNECTION
    arrivals = winning_path(state.board, state.winner) if is_joined else []
    return tuple(dict.fromkeys(Place(*row_and_column(arrival >> 3)) for arrival in arrivals))


# -- back to a state ----------------------------------------------------------------------------


def imagine(seen: View, rng: Rng) -> DualityState:
    """A state with this view; `rng` samples the hidden cards."""
    state = DualityState(board_from_view(seen), _arbitrary_hidden_cards(seen), _history(seen))
    _FIELDS.restore(state, seen)
    if len(seen.winners) == 1:
        state.winner = seen.winners[0]
    state.determinize(ONLOOKER_SEAT if seen.seat is None else seen.seat, rng)
    return state


def board_from_view(seen: View) -> Board:
    """The rules' board for a view."""
    board = empty_board(seen.options.file)
    for laid in seen.board:
        board.lay(place_of(laid.column, laid.row), tile_number(laid.card, laid.turned))
    return board


def _arbitrary_hidden_cards(seen: View) -> HiddenCards:
    """What the view tells, with an arbitrary card in each hidden position."""
    hidden = undealt_cards()
    _FIELDS.restore(hidden, seen)
    hands = hidden.hands = hidden.known[:]
    if seen.seat is not None:
        hands[seen.seat] = _card_set(seen.hand)
    hidden.pile &= ~(_card_set(laid.card for laid in seen.board) | hands[0] | hands[1])
    for seat in range(2):
        for _ in range(seen.hand_sizes[seat] - count(hands[seat])):
            hands[seat] |= bit(lowest(hidden.pile))
            hidden.pile &= ~hands[seat]
    return hidden


def _history(seen: View) -> decision_history.DecisionHistory:
    history = decision_history.DecisionHistory(0, vec[i64](), decision_history.NO_PLACE)
    for swap in seen.history:
        if swap is None:
            history.add_pass()
        else:
            laid = tile_number(swap.laid, swap.laid_turned)
            taken = tile_number(swap.taken, swap.taken_turned)
            history.add_swap(swap.seat, place_of(swap.column, swap.row), laid, taken)
    _FIELDS.restore(history, seen)
    if seen.latest is not None:
        history.latest_place = place_of(seen.latest.column, seen.latest.row)
    return history


def tile_number(card: Card, turned: bool) -> int:
    """The tile of a card as it lies."""
    return cards.CARD_CODES.index(card) << 1 | turned


def _card_set(codes: Iterable[Card]) -> int:
    return sum(bit(cards.CARD_CODES.index(card)) for card in codes)
