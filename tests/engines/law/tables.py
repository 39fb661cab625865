"""Hand-built Law tables, and a random number generator that deals scripted cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common import playing_cards
from tabularium_engines.common.agenda import kind_of
from tabularium_engines.common.bits import bit, members
from tabularium_engines.common.playing_cards import FULL_DECK
from tabularium_engines.law import ENGINE
from tabularium_engines.law import actions as a
from tabularium_engines.law.action_numbers import TASK_NAMES, TASK_TURN
from tabularium_engines.law.game_logic import LawState, advance
from tabularium_engines.law.rulings import RULINGS, Rulings
from tabularium_engines.law.view import View

SPARE = ("KD", "QD", "JD", "10D")
BILLS = (a.KindBill, a.StraightBill, a.FlushBill, a.StraightFlush)


class ScriptedDeal(Rng):
    """A random number generator that deals exactly these cards from the draw pile, in order."""

    def __init__(self, state: LawState, codes: str) -> None:
        self._state = state
        self._codes = codes.split()

    def below(self, limit: i64) -> i64:
        assert self._codes, "no card is scripted for this draw"
        pile = members(self._state.piles.rest)
        assert limit == len(pile), f"{limit} is not the size of the draw pile, {len(pile)}"
        code = self._codes.pop(0)
        assert card_number(code) in pile, f"{code} is not in the draw pile"
        return pile.index(card_number(code))

    def assert_empty(self) -> None:
        assert not self._codes, f"unused cards: {self._codes}"


def card_number(code: str) -> int:
    """The engine's number of a card."""
    return playing_cards.CARD_CODES.index(code)


def cards(codes: str) -> int:
    """The set of cards named in "7S 10H"."""
    return sum(bit(card_number(code)) for code in codes.split())


def codes(mask: int) -> set[str]:
    """A set of cards as card codes."""
    return {playing_cards.card_code(card) for card in members(mask)}


def table(
    hands: Sequence[str],
    laws: Mapping[int, str] | None = None,
    *,
    discards: str | None = None,
    stack: str = "",
    pile: str | None = None,
    bound: Mapping[str, int] | None = None,
    turn: int = 0,
    takes: int = 0,
    is_rest_removed: bool = False,
    rulings: Rulings = RULINGS[2],
) -> LawState:
    """A table in the middle of seat `turn`'s turn, with `takes` cards still to be taken.

    `laws` are the collections by seat; `bound` gives the seat that a Law binds, for Laws that bind
    one player; `discards` are the discard piles, each with the top last and "/" between them (by
    default one pile of one other card); `stack` is the known top of the draw pile. All
    other cards are in the draw pile or, if `pile` lists its cards, in the trash, or with
    `is_rest_removed` out of the game. The rulings are those of a version.
    """
    state = LawState()
    state.record_news()
    state.init_table(len(hands), FULL_DECK)
    state.rulings = rulings
    state.turn = state.chain.actor = turn
    state.progress.takes = takes
    state.hands = vec[i64]([cards(hand) for hand in hands])
    for seat, collection in (laws or {}).items():
        state.laws[seat] = cards(collection)
    for code, seat in (bound or {}).items():
        state.bound[seat] = state.bound[seat] | bit(card_number(code))
    discards = discards or _spare_card(*hands, *(laws or {}).values(), stack, pile or "")
    state.piles.discarded = [vec[i64](map(card_number, row.split())) for row in discards.split("/")]
    state.piles.stack = vec[i64](map(card_number, stack.split()))
    _place_other_cards(state, pile, is_rest_removed)
    state.agenda.push(TASK_TURN, turn)
    advance(state, ScriptedDeal(state, ""))
    return state


def _spare_card(*placed: str) -> str:
    """A card that is in none of these places."""
    placed_cards = " ".join(placed).split()
    return next(code for code in SPARE if code not in placed_cards)


def _place_other_cards(state: LawState, pile: str | None, is_rest_removed: bool) -> None:
    """Put all other cards into the draw pile, the trash or out of the game."""
    placed_cards = sum(state.hands) | sum(state.laws)
    for row in [*state.piles.discarded, state.piles.stack]:
        placed_cards |= sum(bit(card) for card in row)
    other_cards = FULL_DECK & ~placed_cards
    state.piles.rest = other_cards if pile is None else cards(pile)
    state.piles.trash = 0 if is_rest_removed else other_cards & ~state.piles.rest
    state.piles.removed = other_cards & ~state.piles.rest & ~state.piles.trash
    assert state.cards() == list(range(52)), "a card is named twice"


def empty_draw_pile(state: LawState) -> None:
    """Let the draw pile be empty, as after an action in which all have contributed."""
    state.piles.removed |= state.piles.rest
    state.piles.rest = 0


def do(state: LawState, seat: int, action: Any, draws: str = "") -> list[dict[str, Any]]:
    """Apply a legal action with exactly these draws, and return the onlooker's news."""
    deal = ScriptedDeal(state, draws)
    state.apply(seat, ENGINE.encode(state, seat, action), deal)
    deal.assert_empty()
    assert len(state.cards()) == 52
    return ENGINE.news(state, None)


def legal_actions(state: LawState, seat: int) -> list[Any]:
    """The seat's legal actions."""
    return [ENGINE.decode(state, seat, code) for code in state.legal_actions(seat)]


def legal_bills(state: LawState, seat: int) -> set[Any]:
    """The Bills that the seat may play."""
    return {action for action in legal_actions(state, seat) if isinstance(action, BILLS)}


def view_of(state: LawState, seat: int | None = None) -> View:
    """The seat's view of the table."""
    return ENGINE.view(state, seat)


def hand(state: LawState, seat: int) -> set[str]:
    """The seat's hand."""
    return codes(state.hands[seat])


def laws(state: LawState, seat: int) -> set[str]:
    """The seat's collection."""
    return codes(state.laws[seat])


def awaited_task(state: LawState) -> str:
    """The kind of task that the table waits for."""
    return TASK_NAMES[kind_of(state.agenda.top())] if state.to_act else "nothing"


def news_kinds(news: list[dict[str, Any]]) -> list[str]:
    """The kinds of the news items, in order."""
    return [item["kind"] for item in news]
