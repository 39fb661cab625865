"""The view of the table: all that a seat or an onlooker may know, without the hidden cards.
`imagine` makes a random state that agrees with a view, for searches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tabularium_engines.base import Rng
from tabularium_engines.common.bits import members
from tabularium_engines.common.public_fields import PublicFields, to_ints
from tabularium_engines.duel_edged_sword.actions import Card
from tabularium_engines.duel_edged_sword.card_counts import faces_in, single_tally
from tabularium_engines.duel_edged_sword.cards import CARD_CODES, NO_CARD, kind_of
from tabularium_engines.duel_edged_sword.game_logic import SwordState, empty_table
from tabularium_engines.duel_edged_sword.game_options import Mode, Options
from tabularium_engines.duel_edged_sword.match_scoring import MODE_NAMES, RoundResult, Variant
from tabularium_engines.duel_edged_sword.players import SEAT_COUNT, STANDING_NAMES, Players
from tabularium_engines.duel_edged_sword.rows import FACE_DOWN, FACE_MASK, RIGHT, ROW_COUNT
from tabularium_engines.duel_edged_sword.rulings import Rulings

Standing = Literal["in", "out", "cut", "bust"]


@dataclass(frozen=True)
class Laid:
    """A card in a row. Its face is public even if it now lies face down."""

    card: Card  #: the card
    is_up: bool  #: whether its face is up


@dataclass(frozen=True)
class Player:
    """A player's cards and standing in this round."""

    pile: int  #: cards still to draw
    standing: Standing  #: out: three of a kind; cut: four; bust: could not play
    completes: tuple[Card, ...]  #: the Completes that the player has collected
    constraints: tuple[Card, ...]  #: one item per card


@dataclass(frozen=True)
class Challenge:
    """The totals of the match's collaborative rounds."""

    rounds: int  #: the number of collaborative rounds
    met: int  #: how many of these were won
    kept: int  #: the Completes that were kept
    sought: int  #: the Completes that had to be collected


@dataclass(frozen=True)
class Round:
    """The result of a round."""

    number: int  #: the round, from 1
    mode: Mode  #: its mode
    flipped: Card  #: the card that decided the mode
    sought: int  #: Completes that a collaborative round had to collect
    points: tuple[int, ...]  #: by seat: the points
    kept: tuple[int, ...]  #: by seat: Completes that count
    standings: tuple[Standing, ...]  #: by seat: the standing at its end


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it (None: an onlooker)."""

    seat: int | None  #: the viewer's seat; null: an onlooker
    options: Options
    to_act: tuple[int, ...]  #: the seats that must act; empty when the game is over
    round: int  #: the round, from 1
    leader: int  #: the seat that began the round
    turn: int  #: the seat on turn
    mode: Mode  #: the mode of the round
    flipped: Card  #: the card that decided the mode
    teams: tuple[tuple[int, ...], ...]  #: in a round with teams
    card: Card | None  #: the card that the viewer has drawn and must lay
    rows: tuple[tuple[Laid, ...], ...]  #: the rows on the table, each from the left
    players: tuple[Player, ...]  #: the players, by seat
    aside: int  #: face-down cards that no player will draw
    dropped: tuple[Card, ...]  #: cards that could not be played
    points: tuple[int, ...]  #: by seat: the points of the match
    challenge: Challenge  #: the totals of the collaborative rounds
    last_round: Round | None  #: the result of the round before; null in the first
    winners: tuple[int, ...]  #: the seats that win; empty before the end


_TABLE_FIELDS = PublicFields(View)
_CHALLENGE_FIELDS = PublicFields(Challenge)
_ROUND_FIELDS = PublicFields(Round)
_OPTION_FIELDS = PublicFields(Options)


# -- from the state -----------------------------------------------------------------------------


def view(state: SwordState, seat: int | None) -> View:
    """The view of `seat` (None: an onlooker)."""
    match, players = state.match, state.players
    is_own = seat == state.turn and state.drawn != NO_CARD
    last = match.last_result
    sides = {to_ints(members(state.team_of(each))) for each in range(SEAT_COUNT)}  # two: teams
    return View(
        seat=seat,
        options=Options(MODE_NAMES[state.variant.mode_rule], **_OPTION_FIELDS.show(state.variant)),
        **_TABLE_FIELDS.show(state),
        **_TABLE_FIELDS.show(match),
        teams=tuple(sorted(sides)) if len(sides) == 2 else (),
        card=CARD_CODES[state.drawn] if is_own else None,
        rows=tuple(row_view(state, row) for row in range(ROW_COUNT)),
        players=tuple(player_view(players, each) for each in range(SEAT_COUNT)),
        aside=int(players.unseen) - sum(to_ints(players.piles)),
        dropped=_card_codes(faces_in(0, players.dropped)),
        challenge=Challenge(**_CHALLENGE_FIELDS.show(match.challenges)),
        last_round=None if last is None else Round(**_ROUND_FIELDS.show(last)),
        winners=() if state.to_act else to_ints(members(match.winning_seats())),
    )


def row_view(state: SwordState, row: int) -> tuple[Laid, ...]:
    """The cards of a row, from the left."""
    return tuple(
        Laid(CARD_CODES[cell & FACE_MASK], cell < FACE_DOWN) for cell in state.rows.cells_of(row)
    )


def player_view(players: Players, seat: int) -> Player:
    """A player's cards and standing."""
    return Player(
        pile=int(players.piles[seat]),
        standing=STANDING_NAMES[players.standings[seat]],
        completes=_card_codes(members(players.completes[seat])),
        constraints=_card_codes(faces_in(0, players.constraints[seat])),
    )


def _card_codes(cards: Iterable[int]) -> tuple[str, ...]:
    return tuple(CARD_CODES[card] for card in cards)


# -- back to a state ----------------------------------------------------------------------------


def imagine(seen: View, variant: Variant, rng: Rng) -> SwordState:
    """A state with this view; `rng` samples the hidden card."""
    state = empty_table(variant)
    _TABLE_FIELDS.restore(state, seen)
    match, players = state.match, state.players
    _TABLE_FIELDS.restore(match, seen)
    _CHALLENGE_FIELDS.restore(match.challenges, seen.challenge)
    if seen.last_round is not None:
        match.last_result = RoundResult()
        _ROUND_FIELDS.restore(match.last_result, seen.last_round)
    for row, cards in enumerate(seen.rows):
        for laid in cards:
            state.rows.lay(row, RIGHT, card_number(laid.card) | (0 if laid.is_up else FACE_DOWN))
    for seat, player in enumerate(seen.players):
        _restore_player(players, seat, player)
    players.dropped = tally_of(seen.dropped)
    state.drawn = NO_CARD if seen.card is None else card_number(seen.card)
    for face in state.cards_in_sight():
        players.remove_unseen(face)
    if seen.to_act and seen.card is None:
        state.draw_hidden_card(rng)
    return state


def variant_of(options: Options, rulings: Rulings) -> Variant:
    """The options as the rules' numbers, with the rulings of a version."""
    variant = Variant(rulings)
    variant.mode_rule = MODE_NAMES.index(options.mode)
    _OPTION_FIELDS.restore(variant, options)
    return variant


def _restore_player(players: Players, seat: int, seen: Player) -> None:
    players.piles[seat] = seen.pile
    players.standings[seat] = STANDING_NAMES.index(seen.standing)
    for card in [*seen.completes, *seen.constraints]:
        players.collect(seat, card_number(card))


def tally_of(cards: Iterable[Card]) -> int:
    """The tally of cards other than Completes."""
    return sum(single_tally(kind_of(card_number(card))) for card in cards)


def card_number(card: Card) -> int:
    """The rules' number of a card."""
    return CARD_CODES.index(card)
