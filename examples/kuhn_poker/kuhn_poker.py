"""Kuhn poker, the smallest poker (Harold Kuhn, 1950): three cards, two players, one round of bets.

Each player puts in a coin and gets one of three cards. In turn a player bets a coin or passes. A
pass after a bet gives up; otherwise, after two passes or two bets, the higher card wins the coins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.english_text import player_name
from tabularium_engines.kit.engine import SmallEngine, about_game
from tabularium_engines.kit.fields import numbers, own_cards, secret_cards
from tabularium_engines.kit.small_state import SmallState, draw_card

PASS: Final = 0  # the actions, by their place in `about.actions`
BET: Final = 1


@dataclass(frozen=True)
class Pass:
    """Put in nothing: after a bet this gives up."""

    kind: ClassVar = "pass"


@dataclass(frozen=True)
class Bet:
    """Put in a second coin."""

    kind: ClassVar = "bet"
    label: ClassVar = "Bet a coin"


class KuhnState(SmallState):
    """A card each, the undealt card, the coins of each seat, and the actions so far."""

    fields: ClassVar = (
        own_cards("hands"),
        secret_cards("undealt"),
        numbers("coins").marked("type=bet"),
        numbers("actions"),
    )

    def __init__(self) -> None:
        super().__init__()
        self.hands: list[list[int]] = []
        self.undealt: list[int] = []
        self.coins: list[int] = []
        self.actions: list[int] = []

    def set_up(self, rng: Rng) -> None:
        self.undealt = [0, 1, 2]
        self.hands = [[draw_card(self.undealt, rng)] for _ in range(2)]
        self.coins = [1, 1]
        self.to_act = 1

    def legal_actions(self, seat: i64) -> list[i64]:
        return [PASS, BET] if self.to_act == seat + 1 else []

    def play(self, seat: i64, action: i64, rng: Rng) -> None:
        self.coins[seat] += int(action)
        self.actions.append(int(action))
        self.to_act = 0 if self.is_over() else 3 - self.to_act

    def is_over(self) -> bool:
        """Whether the last two actions end the game: only a bet after a pass goes on."""
        return len(self.actions) > 1 and self.actions[-2:] != [PASS, BET]

    def winner(self) -> int:
        """The seat that takes the coins."""
        if self.coins[0] != self.coins[1]:
            return 0 if self.coins[0] > self.coins[1] else 1
        return 0 if self.hands[0] > self.hands[1] else 1

    def scores(self) -> list[int]:
        gain = min(self.coins)
        return [gain, -gain] if self.winner() == 0 else [-gain, gain]

    def returns(self) -> list[float]:
        if self.to_act:
            return [0.0, 0.0]
        return [0.5 + gain / 4 for gain in self.scores()]


class KuhnPoker(SmallEngine[KuhnState]):
    """The engine of Kuhn poker."""

    state_type: ClassVar = KuhnState
    about: ClassVar = about_game(
        state_type,
        card_names=("J", "Q", "K"),
        slug="kuhn_poker",
        title="Kuhn Poker",
        summary="Bet on the higher of two cards.",
        version=1,
        seats=(2, 2),
        actions=(Pass, Bet),
        max_actions=3,
        designers=("Harold W. Kuhn",),
        said=(Pass,),
    )

    def reason(self, state: KuhnState) -> str:
        if state.coins[0] != state.coins[1]:
            return f"{player_name(1 - state.winner())} gave up."
        return f"{player_name(state.winner())} has the higher card."


ENGINES = (KuhnPoker(),)
