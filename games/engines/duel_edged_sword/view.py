"""The view of the table: all that a seat or an onlooker may know, without the hidden cards.
`imagine` makes a random state that agrees with a view, for searches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import ONLOOKER_SEAT, Rng
from games.engines.common.bits import bit, members
from games.engines.common.public_fields import to_ints
from games.engines.duel_edged_sword.actions import Card
from games.engines.duel_edged_sword.card_heap import completes_among, face_at, faces_in, tally_of
from games.engines.duel_edged_sword.cards import CARD_CODES, NO_CARD, card_code
from games.engines.duel_edged_sword.game_logic import SwordState
from games.engines.duel_edged_sword.game_options import MODE_BY_NUMBER, Mode, Options
from games.engines.duel_edged_sword.rows import FACE_DOWN, FACE_MASK, RIGHT, ROW_COUNT
from games.engines.duel_edged_sword.scoring import partner_of, winning_seats
from games.engines.duel_edged_sword.table_state import (
    MODE_NAMES,
    SEAT_COUNT,
    STANDING_NAMES,
    TEAMS,
)

Standing = Literal["in", "out", "cut", "bust"]


@dataclass(frozen=True)
class Laid:
    """A card in a row. Its face is public even if it now lies face down."""

    card: Card
    is_up: bool


@dataclass(frozen=True)
class Player:
    """A player's cards and standing in this round."""

    pile: int  # cards still to draw
    standing: Standing  # out: three of a kind; cut: four; bust: could not play
    completes: tuple[Card, ...]
    constraints: tuple[Card, ...]  # one item per card


@dataclass(frozen=True)
class Challenge:
    """The totals of the match's collaborative rounds."""

    rounds: int
    met: int
    kept: int
    sought: int


@dataclass(frozen=True)
class Round:
    """The result of a round."""

    number: int
    mode: Mode
    flipped: Card
    sought: int  # Completes that a collaborative round had to collect
    points: tuple[int, ...]
    kept: tuple[int, ...]  # by seat: Completes that count
    standings: tuple[Standing, ...]


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it (None: an onlooker)."""

    seat: int | None
    options: Options
    to_act: tuple[int, ...]
    round: int
    leader: int
    turn: int
    mode: Mode
    flipped: Card
    teams: tuple[tuple[int, ...], ...]  # in a round with teams
    card: Card | None  # the card that the viewer has drawn and must lay
    rows: tuple[tuple[Laid, ...], ...]
    players: tuple[Player, ...]
    aside: int  # face-down cards that no player will draw
    dropped: tuple[Card, ...]  # cards that could not be played
    points: tuple[int, ...]
    challenge: Challenge
    last_round: Round | None
    winners: tuple[int, ...]


# -- from the state -----------------------------------------------------------------------------


def view(state: SwordState, seat: int | None) -> View:
    """The view of `seat` (None: an onlooker)."""
    is_own = seat is not None and seat == int(state.turn) and state.drawn != NO_CARD
    return View(
        seat=seat,
        options=_options_view(state),
        to_act=to_ints(members(state.to_act)),
        round=int(state.round),
        leader=int(state.leader),
        turn=int(state.turn),
        mode=MODE_BY_NUMBER[state.mode],
        flipped=card_code(state.flipped),
        teams=_team_seats(state),
        card=card_code(state.drawn) if is_own else None,
        rows=tuple(row_view(state, row) for row in range(ROW_COUNT)),
        players=tuple(_player_view(state, player) for player in range(SEAT_COUNT)),
        aside=int(state.unseen) - sum(to_ints(state.piles)),
        dropped=_card_codes(faces_in(0, state.dropped)),
        points=to_ints(state.points),
        challenge=Challenge(*to_ints(state.challenge)),
        last_round=_last_round_view(state),
        winners=() if state.to_act else to_ints(members(winning_seats(state))),
    )


def row_view(state: SwordState, row: int) -> tuple[Laid, ...]:
    """The cards of a row, from the left."""
    return tuple(
        Laid(card_code(cell & FACE_MASK), cell < FACE_DOWN) for cell in state.rows.cells_of(row)
    )


def _options_view(state: SwordState) -> Options:
    return Options(
        mode=MODE_NAMES[state.mode_rule],
        deal="all" if state.deals_all else "thirteen",
        rounds=int(state.rounds),
        target=int(state.target),
    )


def _team_seats(state: SwordState) -> tuple[tuple[int, ...], ...]:
    if state.mode != TEAMS:
        return ()
    with_north = int(partner_of(state.flipped, 0))
    others = tuple(seat for seat in range(1, SEAT_COUNT) if seat != with_north)
    return ((0, with_north), others)


def _player_view(state: SwordState, seat: int) -> Player:
    return Player(
        pile=int(state.piles[seat]),
        standing=STANDING_NAMES[state.standings[seat]],
        completes=_card_codes(members(state.completes[seat])),
        constraints=_card_codes(faces_in(0, state.constraints[seat])),
    )


def _last_round_view(state: SwordState) -> Round | None:
    if len(state.last_round) == 0:
        return None
    number, mode, flipped, sought, *by_seat = to_ints(state.last_round)
    return Round(
        number=number,
        mode=MODE_BY_NUMBER[mode],
        flipped=card_code(flipped),
        sought=sought,
        points=tuple(by_seat[:4]),
        kept=tuple(by_seat[4:8]),
        standings=tuple(STANDING_NAMES[standing] for standing in by_seat[8:]),
    )


def _card_codes(cards: Iterable[int]) -> tuple[str, ...]:
    return tuple(card_code(card) for card in cards)


# -- back to a state ----------------------------------------------------------------------------


def imagine(seen: View, rng: Rng) -> SwordState:
    """A state with this view; `rng` samples the hidden card."""
    state = SwordState()
    set_options(state, seen.options)
    state.init_table()
    state.to_act = sum(bit(seat) for seat in seen.to_act)
    state.round = seen.round
    state.leader = seen.leader
    state.points = vec[i64](seen.points)
    challenge = seen.challenge
    state.challenge = vec[i64](
        [challenge.rounds, challenge.met, challenge.kept, challenge.sought],
    )
    state.last_round = vec[i64](_last_round_numbers(seen.last_round))
    state.mode = MODE_NAMES.index(seen.mode)
    state.flipped = card_number(seen.flipped)
    state.remove_from_unseen(state.flipped)
    state.turn = seen.turn
    _lay_rows(state, seen)
    _seat_players(state, seen)
    for card in _card_numbers(seen.dropped):
        state.remove_from_unseen(card)
    state.dropped = tally_of(_card_numbers(seen.dropped))
    _lay_drawn(state, seen)
    state.determinize(ONLOOKER_SEAT if seen.seat is None else seen.seat, rng)
    return state


def _lay_rows(state: SwordState, seen: View) -> None:
    for row, cards in enumerate(seen.rows):
        for one in cards:
            face = card_number(one.card)
            state.remove_from_unseen(face)
            state.rows.lay(row, RIGHT, face if one.is_up else face | FACE_DOWN)


def _seat_players(state: SwordState, seen: View) -> None:
    state.piles = vec[i64](player.pile for player in seen.players)
    state.standings = vec[i64](STANDING_NAMES.index(player.standing) for player in seen.players)
    for seat, player in enumerate(seen.players):
        completes, constraints = _card_numbers(player.completes), _card_numbers(player.constraints)
        state.completes[seat] = completes_among(completes)
        state.constraints[seat] = tally_of(constraints)
        for card in [*completes, *constraints]:
            state.remove_from_unseen(card)


def _lay_drawn(state: SwordState, seen: View) -> None:
    """Set the drawn card: the viewer's own, or an arbitrary one that `determinize` replaces."""
    if not seen.to_act:
        return
    if seen.card is None:
        state.drawn = face_at(state.unseen_completes, state.unseen_kinds, 0)
    else:
        state.drawn = card_number(seen.card)
    state.remove_from_unseen(state.drawn)


def set_options(state: SwordState, options: Options) -> None:
    """Set the rules' variants from the options."""
    state.mode_rule = MODE_NAMES.index(options.mode)
    state.deals_all = options.deal == "all"
    state.rounds = options.rounds
    state.target = options.target


def card_number(card: Card) -> int:
    """The rules' number of a card."""
    return CARD_CODES.index(card)


def _card_numbers(cards: Iterable[Card]) -> list[int]:
    return [card_number(card) for card in cards]


def _last_round_numbers(last: Round | None) -> list[int]:
    if last is None:
        return []
    standings = [STANDING_NAMES.index(standing) for standing in last.standings]
    head = [last.number, MODE_NAMES.index(last.mode), card_number(last.flipped), last.sought]
    return [*head, *last.points, *last.kept, *standings]
