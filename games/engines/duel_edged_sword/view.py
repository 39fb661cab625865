"""The view of the table: all that a seat or an onlooker may know, without the hidden cards.
`imagine` makes a random state that agrees with a view, for searches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from games.engines.base import ONLOOKER_SEAT, Rng
from games.engines.common.bits import bit, members
from games.engines.common.public_fields import PublicFields, to_ints
from games.engines.duel_edged_sword.actions import Card
from games.engines.duel_edged_sword.card_counts import face_at, faces_in, single_tally
from games.engines.duel_edged_sword.cards import CARD_CODES, NO_CARD, card_code, kind_of
from games.engines.duel_edged_sword.game_logic import SwordState, empty_table
from games.engines.duel_edged_sword.game_options import Mode, Options
from games.engines.duel_edged_sword.match_progress import (
    MODE_NAMES,
    TEAMS,
    Match,
    RoundResult,
    Variant,
)
from games.engines.duel_edged_sword.players import SEAT_COUNT, STANDING_NAMES, Players
from games.engines.duel_edged_sword.rows import FACE_DOWN, FACE_MASK, RIGHT, ROW_COUNT
from games.engines.duel_edged_sword.scoring import partner_of, winning_seats

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


_MATCH_FIELDS = PublicFields(View)
_CHALLENGE_FIELDS = PublicFields(Challenge)
_ROUND_FIELDS = PublicFields(Round)
_OPTION_FIELDS = PublicFields(Options)


# -- from the state -----------------------------------------------------------------------------


def view(state: SwordState, seat: int | None) -> View:
    """The view of `seat` (None: an onlooker)."""
    match = state.match
    is_own = seat is not None and seat == int(match.turn) and state.drawn != NO_CARD
    last = match.last_result
    return View(
        seat=seat,
        options=_options_view(state.variant),
        to_act=to_ints(members(state.to_act)),
        **_MATCH_FIELDS.show(match),
        teams=_team_seats(match),
        card=card_code(state.drawn) if is_own else None,
        rows=tuple(row_view(state, row) for row in range(ROW_COUNT)),
        players=tuple(_player_view(state.players, player) for player in range(SEAT_COUNT)),
        aside=int(state.unseen.size) - sum(to_ints(state.players.piles)),
        dropped=_card_codes(faces_in(0, state.dropped)),
        challenge=Challenge(**_CHALLENGE_FIELDS.show(match.challenges)),
        last_round=None if last is None else Round(**_ROUND_FIELDS.show(last)),
        winners=() if state.to_act else to_ints(members(winning_seats(match))),
    )


def row_view(state: SwordState, row: int) -> tuple[Laid, ...]:
    """The cards of a row, from the left."""
    return tuple(
        Laid(card_code(cell & FACE_MASK), cell < FACE_DOWN) for cell in state.rows.cells_of(row)
    )


def _options_view(variant: Variant) -> Options:
    return Options(mode=MODE_NAMES[variant.mode_rule], **_OPTION_FIELDS.show(variant))


def _team_seats(match: Match) -> tuple[tuple[int, ...], ...]:
    if match.mode != TEAMS:
        return ()
    with_north = int(partner_of(match.flipped, 0))
    others = tuple(seat for seat in range(1, SEAT_COUNT) if seat != with_north)
    return ((0, with_north), others)


def _player_view(players: Players, seat: int) -> Player:
    return Player(
        pile=int(players.piles[seat]),
        standing=STANDING_NAMES[players.standings[seat]],
        completes=_card_codes(members(players.completes[seat])),
        constraints=_card_codes(faces_in(0, players.constraints[seat])),
    )


def _card_codes(cards: Iterable[int]) -> tuple[str, ...]:
    return tuple(card_code(card) for card in cards)


# -- back to a state ----------------------------------------------------------------------------


def imagine(seen: View, rng: Rng) -> SwordState:
    """A state with this view; `rng` samples the hidden card."""
    state = empty_table(variant_of(seen.options))
    state.to_act = sum(bit(seat) for seat in seen.to_act)
    match = state.match
    _MATCH_FIELDS.restore(match, seen)
    _CHALLENGE_FIELDS.restore(match.challenges, seen.challenge)
    if seen.last_round is not None:
        match.last_result = RoundResult()
        _ROUND_FIELDS.restore(match.last_result, seen.last_round)
    state.unseen.remove(match.flipped)
    _lay_rows(state, seen)
    _seat_players(state, seen)
    for card in _card_numbers(seen.dropped):
        state.dropped += single_tally(kind_of(card))
        state.unseen.remove(card)
    _lay_drawn(state, seen)
    state.determinize(ONLOOKER_SEAT if seen.seat is None else seen.seat, rng)
    return state


def variant_of(options: Options) -> Variant:
    """The options as the rules' numbers."""
    variant = Variant(MODE_NAMES.index(options.mode))
    _OPTION_FIELDS.restore(variant, options)
    return variant


def _lay_rows(state: SwordState, seen: View) -> None:
    for row, cards in enumerate(seen.rows):
        for one in cards:
            face = card_number(one.card)
            state.unseen.remove(face)
            state.rows.lay(row, RIGHT, face if one.is_up else face | FACE_DOWN)


def _seat_players(state: SwordState, seen: View) -> None:
    for seat, player in enumerate(seen.players):
        state.players.piles[seat] = player.pile
        state.players.standings[seat] = STANDING_NAMES.index(player.standing)
        for card in _card_numbers([*player.completes, *player.constraints]):
            state.players.collect(seat, card)
            state.unseen.remove(card)


def _lay_drawn(state: SwordState, seen: View) -> None:
    """Set the drawn card: the viewer's own, or an arbitrary one that `determinize` replaces."""
    if not seen.to_act:
        return
    if seen.card is None:
        state.drawn = face_at(state.unseen.completes, state.unseen.kinds, 0)
    else:
        state.drawn = card_number(seen.card)
    state.unseen.remove(state.drawn)


def card_number(card: Card) -> int:
    """The rules' number of a card."""
    return CARD_CODES.index(card)


def _card_numbers(cards: Iterable[Card]) -> list[int]:
    return [card_number(card) for card in cards]
