"""Hand-built Law of the Dice tables, and a scripted random number generator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import AnyEngine, Rng
from tabularium_engines.common import playing_cards
from tabularium_engines.common.bits import bit, members
from tabularium_engines.common.playing_cards import FULL_DECK
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.law_of_the_dice import ENGINE
from tabularium_engines.law_of_the_dice.action_numbers import TASK_ACT, TASK_END_TURN
from tabularium_engines.law_of_the_dice.actions import CallCount, Draw
from tabularium_engines.law_of_the_dice.game_logic import DiceState, advance, empty_table
from tabularium_engines.law_of_the_dice.game_options import Options
from tabularium_engines.law_of_the_dice.tablets import NO_CARD, SLOT_COUNT
from tabularium_engines.law_of_the_dice.view import View, card_number, variant_of

Tablet = Mapping[int, tuple[str | None, int | None]]  # by slot 1 to 3: a card and a number


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
    """The set of cards named in "7S 10H"."""
    return sum(bit(card_number(code)) for code in codes.split())


def table(
    hands: Sequence[str],
    tablets: Mapping[int, Tablet] | None = None,
    *,
    discards: str = "",
    pile: str | None = None,
    options: Options | None = None,
    turn: int = 0,
    actions: int = 2,
) -> DiceState:
    """A table in the middle of seat `turn`'s turn, with `actions` actions left.

    All other cards are in the draw pile or, if `pile` lists its cards, at the bottom
    of the discard pile.
    """
    state = empty_table(variant_of(options or Options()), len(hands))
    state.record_news()
    state.turn = turn
    state.deck.hands = vec[i64](cards(hand) for hand in hands)
    for seat, tablet in (tablets or {}).items():
        for slot, (card, number) in tablet.items():
            place = seat * SLOT_COUNT + slot - 1
            state.tablets.laws[place] = NO_CARD if card is None else card_number(card)
            state.tablets.numbers[place] = number or 0
    state.deck.discard_pile = vec[i64](card_number(code) for code in discards.split())
    other_cards = FULL_DECK & ~(state.visible_cards() | sum(state.deck.hands))
    state.deck.pile = other_cards if pile is None else cards(pile)
    bottom = members(other_cards & ~state.deck.pile)
    state.deck.discard_pile = vec[i64]([*bottom, *state.deck.discard_pile])
    state.agenda.push(TASK_END_TURN, turn)
    for _ in range(actions):
        state.agenda.push(TASK_ACT, turn)
    advance(state, ScriptedRng([]))
    assert state.cards() == list(range(52))
    return state


def do(state: DiceState, seat: int, action: Any, *draws: int) -> list[dict[str, Any]]:
    """Apply a legal action with exactly these draws, and return the onlooker's news."""
    script = ScriptedRng(draws)
    state.apply(seat, ENGINE.encode(state, seat, action), script)
    script.assert_empty()
    assert state.cards() == list(range(52))
    return ENGINE.news(state, None)


def table_with_called_count(
    hands: list[str], options: Options | None = None, caller: int = 0
) -> DiceState:
    """A table with a called count, after which each other seat has drawn three clubs: the vote is
    next or, if a die names the suit, the last card of the last turn."""
    pile = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"
    state = table(hands, turn=caller, actions=0, pile=pile, options=options)
    do(state, caller, CallCount(), 0)
    others = [(caller + step) % len(hands) for step in range(1, len(hands))]
    for seat in others[:-1]:
        do(state, seat, Draw(), 0)
        do(state, seat, Draw(), 0, 0)
    do(state, others[-1], Draw(), 0)
    if options is None or options.suit_by == "vote":
        do(state, others[-1], Draw(), 0)
    return state


def random_end(engine: AnyEngine, options: Options, seed: int) -> tuple[Any, list[float]]:
    """The points and the payoffs of a game of three that random players play to its end."""
    rng = FastRng(seed)
    state = engine.start(options, 3, rng)
    while state.to_act:
        seat = engine.awaited_seats(state)[0]
        state.apply(seat, state.random_action(seat, rng), rng)
    return engine.view(state, None).points, state.returns()


def legal_actions(state: DiceState, seat: int) -> list[Any]:
    """The seat's legal actions."""
    return [ENGINE.decode(state, seat, code) for code in state.legal_actions(seat)]


def view_of(state: DiceState, seat: int | None = None) -> View:
    """The seat's view of the table."""
    return ENGINE.view(state, seat)


def hand(state: DiceState, seat: int) -> set[str]:
    """The seat's hand."""
    return {playing_cards.card_code(card) for card in members(state.deck.hands[seat])}


def draw_of_card(mask: int, code: str) -> int:
    """The draw that takes this card out of a set."""
    return members(mask).index(card_number(code))


def slot_number(state: DiceState, seat: int, slot: int) -> int:
    """The number on a slot; 0 if it has none."""
    return int(state.tablets.numbers[seat * SLOT_COUNT + slot - 1])


def slot_law(state: DiceState, seat: int, slot: int) -> str | None:
    """The card in a slot."""
    card = state.tablets.laws[seat * SLOT_COUNT + slot - 1]
    return None if card == NO_CARD else playing_cards.card_code(card)


def top_discard(state: DiceState) -> str:
    """The top of the discard pile."""
    return playing_cards.card_code(state.deck.discard_pile[len(state.deck.discard_pile) - 1])


def news_kinds(news: list[dict[str, Any]]) -> list[str]:
    """The kinds of the news items, in order."""
    return [item["kind"] for item in news]
