"""Hand-built Duel-Edged Sword tables, and a scripted random number generator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_edged_sword import ENGINE, ENGINES
from tabularium_engines.duel_edged_sword.actions import OpenRow, Place, Side
from tabularium_engines.duel_edged_sword.card_counts import faces_in, single_tally
from tabularium_engines.duel_edged_sword.cards import (
    CARD_CODES,
    COMPLETE_COUNT,
    NO_CARD,
    SORT_CODES,
    kind_of,
    sort_of,
)
from tabularium_engines.duel_edged_sword.engine import DuelEdgedSwordEngine
from tabularium_engines.duel_edged_sword.game_logic import SwordState, empty_table
from tabularium_engines.duel_edged_sword.game_options import Options
from tabularium_engines.duel_edged_sword.round_setup import mode_of
from tabularium_engines.duel_edged_sword.rows import FACE_DOWN, RIGHT
from tabularium_engines.duel_edged_sword.view import Laid, View, card_number, variant_of

FIRST = ENGINES[0]  # version 1
PLAIN_ROWS = ("red FRC", "blue HGS", "green HGT", "circle HBC")  # with few matches
LAST_CARD_PILES = (0, 0, 0, 0)  # sizes of the piles, so that the card on turn is the last one
DECK = sorted([*range(27), *(face for face in range(27, 36) for _ in range(4)), *[36, 37] * 10])


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


def cards(codes: str) -> list[int]:
    """The cards named in "FRC red true"."""
    return [card_number(code) for code in codes.split()]


def heap_of(faces: Sequence[int]) -> tuple[int, int]:
    """Cards as a heap: the set of the Completes, and the tally of the others."""
    completes = sum(1 << face for face in faces if face < COMPLETE_COUNT)
    return completes, sum(single_tally(kind_of(face)) for face in faces if face >= COMPLETE_COUNT)


def table(
    rows: Sequence[str],
    card: str,
    *,
    collected: Mapping[int, str] | None = None,
    flipped: str = "circle",
    piles: Sequence[int] = (3, 3, 3, 3),
    turn: int = 0,
    options: Options | None = None,
    engine: DuelEdgedSwordEngine = ENGINE,
) -> SwordState:
    """A round in which seat `turn` has drawn a card. In a row, "[red]" lies face down; all other
    cards are unseen."""
    state = empty_table(variant_of(options or Options(rounds=1), engine.rulings))
    state.record_news()
    state.match.round = 1
    state.turn = turn
    state.to_act = 1 << turn
    state.match.flipped = card_number(flipped)
    state.match.mode = mode_of(state.match.flipped)
    state.drawn = card_number(card)
    for number, row in enumerate(rows):
        for code in row.split():
            face = card_number(code.strip("[]"))
            state.rows.lay(number, RIGHT, face | FACE_DOWN if code.startswith("[") else face)
    for seat, codes in (collected or {}).items():
        for face in cards(codes):
            state.players.collect(seat, face)
    for face in state.cards_in_sight():
        state.players.remove_unseen(face)
    state.players.piles = vec[i64](piles)
    assert state.cards() == DECK
    return state


def draw_of_card(state: SwordState, card: str) -> int:
    """The draw that takes this card out of the unseen cards."""
    unseen_cards = faces_in(state.players.unseen_completes, state.players.unseen_kinds)
    return unseen_cards.index(card_number(card))


@dataclass(frozen=True)
class Spot:
    """A place for a card: an end of a row, or without a side an empty row."""

    row: int
    side: Side | None = None

    def action(self, card: str) -> Place | OpenRow:
        """The action that lays a card at this spot."""
        sort = SORT_CODES[sort_of(card_number(card))]
        if self.side is None:
            return OpenRow(sort, self.row)
        return Place(sort, self.row, self.side)


def left_end(row: int) -> Spot:
    return Spot(row, "left")


def right_end(row: int) -> Spot:
    return Spot(row, "right")


def do(state: SwordState, spot: Spot, *next_cards: str) -> list[dict[str, Any]]:
    """Lay the drawn card at a spot, and return the onlooker's news. `next_cards` are drawn next,
    more than one if players are bust."""
    seat = ENGINE.awaited_seats(state)[0]
    script = ScriptedRng([draw_of_card(state, card) for card in next_cards])
    state.apply(seat, ENGINE.encode(state, seat, spot.action(drawn_card(state))), script)
    script.assert_empty()
    assert state.cards() == DECK
    return ENGINE.news(state, None)


def legal_spots(state: SwordState) -> list[Spot]:
    """The legal spots of the seat on turn."""
    seat = ENGINE.awaited_seats(state)[0]
    actions = [ENGINE.decode(state, seat, code) for code in state.legal_actions(seat)]
    spots = [Spot(action.row, getattr(action, "side", None)) for action in actions]
    assert actions == [spot.action(drawn_card(state)) for spot in spots]
    return spots


def view_of(state: SwordState, seat: int | None = None) -> View:
    """The seat's view of the table."""
    return ENGINE.view(state, seat)


def row_text(state: SwordState, number: int) -> str:
    """A row in the notation of `table`."""
    return " ".join(laid_card_text(laid) for laid in view_of(state).rows[number - 1])


def laid_card_text(laid: Laid) -> str:
    return laid.card if laid.is_up else f"[{laid.card}]"


def collected_cards(state: SwordState, seat: int) -> list[str]:
    """The cards that a player has collected, in the order of the deck."""
    player = view_of(state).players[seat]
    return [*player.completes, *player.constraints]


def news_kinds(news: list[dict[str, Any]]) -> list[str]:
    """The kinds of the news items, in order."""
    return [item["kind"] for item in news]


def drawn_card(state: SwordState) -> str:
    """The card that the seat on turn has drawn."""
    return "" if state.drawn == NO_CARD else CARD_CODES[state.drawn]


# -- whole rounds -------------------------------------------------------------------------------


def start_match(seed: int, **options: Any) -> SwordState:
    """A match after its first deal."""
    return ENGINE.start(Options(**options), 4, FastRng(seed))


def end_of_round(rows: Sequence[str], card: str, **table_arguments: Any) -> SwordState:
    """The table after the last card of a round is laid at the right of row 1."""
    state = table(rows, card, piles=LAST_CARD_PILES, **table_arguments)
    do(state, right_end(1))
    return state


def play_round(state: SwordState, rng: FastRng) -> None:
    """Play at random until the round ends."""
    number = state.match.round
    while state.to_act and state.match.round == number:
        seat = ENGINE.awaited_seats(state)[0]
        state.apply(seat, state.random_action(seat, rng), rng)


def completes_except(codes: str) -> str:
    """All Completes except some, in the notation of `table`."""
    return " ".join(code for code in CARD_CODES[:27] if code not in codes.split())
