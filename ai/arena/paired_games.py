"""Paired games: a challenger plays the same deal at each seat in turn against one opponent on all
the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ai.arena.perfect_information import OpenEngine
from ai.arena.statistics import Block
from ai.bot_types import Bot, Budget
from games.engines.base import Engine, Rng
from games.engines.common.rng import FastRng


@dataclass(frozen=True)
class Contestant:
    """A bot and its budget; one with `sees_everything` plays on an engine that hides nothing."""

    bot: Bot
    budget: Budget = field(default_factory=Budget)
    sees_everything: bool = False

    def choose_action(self, engine: Engine[Any, Any], state: Any, seat: int, wits: Rng) -> Any:
        """The bot's action in that state."""
        shown: Any = OpenEngine(engine) if self.sees_everything else engine
        return self.bot.choose(shown, shown.view(state, seat), wits, self.budget).action


@dataclass(frozen=True)
class Match:
    """A challenger and the seats that win with it; the same opponent at all other seats."""

    engine: Engine[Any, Any]
    options: Any
    seats: int
    challenger: Contestant
    opponent: Contestant

    def play_block(self, deal: int) -> Block:
        """One deal with the challenger at each seat. Where all seats win together there is no
        opponent to beat: the challengers play the deal once and the opponents once, for
        comparison."""
        sides = self._sides_of_deal(deal)
        if len(sides[0]) == self.seats:
            together, others = (
                self._play_game(deal, sides[0], 0),
                self._play_game(deal, frozenset(), 0),
            )
            return Block((together / self.seats,), others / self.seats)
        shares = tuple(self._play_game(deal, side, seat) for seat, side in enumerate(sides))
        return Block(shares, len(sides[0]) / self.seats)

    def play_one(self, deal: int, seat: int) -> float:
        """The return of the challenger's side in one game, with the challenger at that seat."""
        return self._play_game(deal, self._sides_of_deal(deal)[seat], seat)

    def _sides_of_deal(self, deal: int) -> list[frozenset[int]]:
        """The seats that win together with each seat."""
        state = self._deal_game(deal, FastRng(deal))
        masks = [int(state.team_of(seat)) for seat in range(self.seats)]
        return [frozenset(s for s in range(self.seats) if mask >> s & 1) for mask in masks]

    def _deal_game(self, deal: int, chance: FastRng) -> Any:
        return self.engine.start(self.options, self.seats, chance)

    def _play_game(self, deal: int, challengers: frozenset[int], seat: int) -> float:
        """The challengers' total return (without challengers: that of all seats). Bots have a
        random generator of their own, so that the table's draws do not depend on how long they
        think."""
        chance, wits = FastRng(deal), FastRng(~(deal * 16 + seat) & 0xFFFFFFFFFF)
        state = self._deal_game(deal, chance)
        while state.to_act:
            awaited = self.engine.awaited_seats(state)[0]
            who = self.challenger if awaited in challengers else self.opponent
            action = who.choose_action(self.engine, state, awaited, wits)
            state.apply(awaited, self.engine.encode(state, awaited, action), chance)
        returns: list[float] = state.returns()
        return sum(returns[seat] for seat in challengers or range(self.seats))
