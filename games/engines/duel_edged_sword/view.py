"""What one may know of a table, and which tables would look exactly like it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import ONLOOKER, Rng
from games.engines.common.bits import bit, members
from games.engines.duel_edged_sword.actions import Card
from games.engines.duel_edged_sword.cards import CODES, NO_CARD, code
from games.engines.duel_edged_sword.heaps import at, completes_among, faces, tally_of
from games.engines.duel_edged_sword.options import MODES, Mode, Options
from games.engines.duel_edged_sword.rows import DOWN, FACE, RIGHT, ROWS
from games.engines.duel_edged_sword.scoring import champions, partner
from games.engines.duel_edged_sword.state import SwordState
from games.engines.duel_edged_sword.table import (
    MODE_NAMES,
    SEATS,
    STANDING_NAMES,
    TEAMS,
)

Standing = Literal["in", "out", "cut", "bust"]


@dataclass(frozen=True)
class Laid:
    """A card in a row. All have seen it, even if it lies face down now."""

    card: Card
    is_up: bool


@dataclass(frozen=True)
class Player:
    """What a player has in this round."""

    pile: int  # cards still to draw
    standing: Standing  # out: three of a kind; cut: four; bust: could not play
    completes: tuple[Card, ...]
    constraints: tuple[Card, ...]  # as often as there are cards


@dataclass(frozen=True)
class Challenge:
    """What the collaborative rounds of the match have brought."""

    rounds: int
    met: int
    kept: int
    sought: int


@dataclass(frozen=True)
class Round:
    """How a round ended."""

    number: int
    mode: Mode
    flipped: Card
    sought: int  # Completes that a collaborative round was about
    points: tuple[int, ...]
    kept: tuple[int, ...]  # by seat: Completes that count
    standings: tuple[Standing, ...]


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it; without a seat, as an onlooker does."""

    seat: int | None
    options: Options
    to_act: tuple[int, ...]
    round: int
    leader: int
    turn: int
    mode: Mode
    flipped: Card
    teams: tuple[tuple[int, ...], ...]  # in a round with teams
    card: Card | None  # what the viewer has drawn and must lay
    rows: tuple[tuple[Laid, ...], ...]
    players: tuple[Player, ...]
    aside: int  # face-down cards that nobody will draw
    dropped: tuple[Card, ...]  # cards that could not be played
    points: tuple[int, ...]
    challenge: Challenge
    last_round: Round | None
    winners: tuple[int, ...]


# -- from the state -----------------------------------------------------------------------------


def view(state: SwordState, seat: int | None) -> View:
    """What `seat` (None: an onlooker) may know."""
    is_own = seat is not None and seat == int(state.turn) and state.drawn != NO_CARD
    return View(
        seat=seat,
        options=_options(state),
        to_act=_plain(members(state.to_act)),
        round=int(state.round),
        leader=int(state.leader),
        turn=int(state.turn),
        mode=MODES[state.mode],
        flipped=code(state.flipped),
        teams=_teams(state),
        card=code(state.drawn) if is_own else None,
        rows=tuple(laid(state, row) for row in range(ROWS)),
        players=tuple(_player(state, player) for player in range(SEATS)),
        aside=int(state.unseen) - sum(_plain(state.piles)),
        dropped=_codes(faces(0, state.dropped)),
        points=_plain(state.points),
        challenge=Challenge(*_plain(state.challenge)),
        last_round=_last_round(state),
        winners=() if state.to_act else _plain(members(champions(state))),
    )


def laid(state: SwordState, row: int) -> tuple[Laid, ...]:
    """The cards of a row, from the left."""
    return tuple(Laid(code(cell & FACE), cell < DOWN) for cell in state.rows.listed(row))


def _options(state: SwordState) -> Options:
    return Options(
        mode=MODE_NAMES[state.mode_rule],
        deal="all" if state.deals_all else "thirteen",
        rounds=int(state.rounds),
        target=int(state.target),
    )


def _teams(state: SwordState) -> tuple[tuple[int, ...], ...]:
    if state.mode != TEAMS:
        return ()
    with_north = int(partner(state.flipped, 0))
    others = tuple(seat for seat in range(1, SEATS) if seat != with_north)
    return ((0, with_north), others)


def _player(state: SwordState, seat: int) -> Player:
    return Player(
        pile=int(state.piles[seat]),
        standing=STANDING_NAMES[state.standings[seat]],
        completes=_codes(members(state.completes[seat])),
        constraints=_codes(faces(0, state.constraints[seat])),
    )


def _last_round(state: SwordState) -> Round | None:
    if len(state.last) == 0:
        return None
    number, mode, flipped, sought, *by_seat = _plain(state.last)
    return Round(
        number=number,
        mode=MODES[mode],
        flipped=code(flipped),
        sought=sought,
        points=tuple(by_seat[:4]),
        kept=tuple(by_seat[4:8]),
        standings=tuple(STANDING_NAMES[standing] for standing in by_seat[8:]),
    )


def _plain(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(int(number) for number in numbers)


def _codes(cards: Iterable[int]) -> tuple[str, ...]:
    return tuple(code(card) for card in cards)


# -- back to a state ----------------------------------------------------------------------------


def imagine(seen: View, rng: Rng) -> SwordState:
    """A table that would look like this: what is hidden lies where chance puts it."""
    state = SwordState()
    set_options(state, seen.options)
    state.lay_out()
    state.to_act = sum(bit(seat) for seat in seen.to_act)
    state.round = seen.round
    state.leader = seen.leader
    state.points = vec[i64](seen.points)
    challenge = seen.challenge
    state.challenge = vec[i64](
        [challenge.rounds, challenge.met, challenge.kept, challenge.sought],
    )
    state.last = vec[i64](_last_numbers(seen.last_round))
    state.mode = MODE_NAMES.index(seen.mode)
    state.flipped = card_number(seen.flipped)
    state.see(state.flipped)
    state.turn = seen.turn
    _lay_rows(state, seen)
    _seat_players(state, seen)
    for card in _numbers(seen.dropped):
        state.see(card)
    state.dropped = tally_of(_numbers(seen.dropped))
    _lay_drawn(state, seen)
    state.determinize(ONLOOKER if seen.seat is None else seen.seat, rng)
    return state


def _lay_rows(state: SwordState, seen: View) -> None:
    for row, cards in enumerate(seen.rows):
        for one in cards:
            face = card_number(one.card)
            state.see(face)
            state.rows.lay(row, RIGHT, face if one.is_up else face | DOWN)


def _seat_players(state: SwordState, seen: View) -> None:
    state.piles = vec[i64](player.pile for player in seen.players)
    state.standings = vec[i64](STANDING_NAMES.index(player.standing) for player in seen.players)
    for seat, player in enumerate(seen.players):
        completes, constraints = _numbers(player.completes), _numbers(player.constraints)
        state.completes[seat] = completes_among(completes)
        state.constraints[seat] = tally_of(constraints)
        for card in [*completes, *constraints]:
            state.see(card)


def _lay_drawn(state: SwordState, seen: View) -> None:
    """What the seat on turn holds: as the viewer sees it, or any card for the re-deal to change."""
    if not seen.to_act:
        return
    if seen.card is None:
        state.drawn = at(state.unseen_completes, state.unseen_kinds, 0)
    else:
        state.drawn = card_number(seen.card)
    state.see(state.drawn)


def set_options(state: SwordState, options: Options) -> None:
    """Tell the rules which variants are played."""
    state.mode_rule = MODE_NAMES.index(options.mode)
    state.deals_all = options.deal == "all"
    state.rounds = options.rounds
    state.target = options.target


def card_number(card: Card) -> int:
    """A card as the rules know it."""
    return CODES.index(card)


def _numbers(cards: Iterable[Card]) -> list[int]:
    return [card_number(card) for card in cards]


def _last_numbers(last: Round | None) -> list[int]:
    if last is None:
        return []
    standings = [STANDING_NAMES.index(standing) for standing in last.standings]
    head = [last.number, MODE_NAMES.index(last.mode), card_number(last.flipped), last.sought]
    return [*head, *last.points, *last.kept, *standings]
