"""Version 2 of Law: a Bill that no cards can make is impossible (R17), 10♣ counts a hand after the
piles are filled (R39), cards in sight are not asked for (R47), one K♥ binds Laws to one player
(R58), and the table, or the winner of the game before, says who begins (R20)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from tabularium_engines.base import Rng
from tabularium_engines.law import status_text
from tabularium_engines.law.engine import LawEngine
from tabularium_engines.law.game_logic import LawState
from tabularium_engines.law.game_options import V2Options
from tabularium_engines.law.rulings import RULINGS
from tabularium_engines.law.view import V2View, View, v2_view


class LawV2Engine(LawEngine):
    """The rulings that follow the print."""

    about: ClassVar = replace(LawEngine.about, version=2, options=V2Options, view=V2View)
    rulings: ClassVar = RULINGS[2]

    view = staticmethod(v2_view)

    def start(self, options: Any, seats: int, rng: Rng) -> LawState:
        state = super().start(options, seats, rng)
        state.first = -1 if options.first is None else options.first
        return state

    def first_seat(self, options: Any, seats: int, rng: Rng) -> int:
        first: int | None = options.first
        return super().first_seat(options, seats, rng) if first is None else first

    def misfit(self, options: Any, seats: int) -> tuple[str, str] | None:
        if options.first is not None and options.first >= seats:
            return "first", f"must be 0 to {seats - 1}, or null, at a table of {seats} players"
        return None

    def next_options(self, options: Any, winners: Sequence[int], new_seats: Sequence[int]) -> Any:
        if len(winners) == 1:  # R20
            return replace(options, first=new_seats[(winners[0] + 1) % len(new_seats)])
        if winners or options.first is None:
            return replace(options, first=None)
        return replace(options, first=new_seats[options.first])

    def ending_text(self, seen: View) -> str:
        return status_text.ending_text(seen)

    def imagine(self, view: Any, rng: Rng) -> LawState:
        state = super().imagine(view, rng)
        state.first = -1 if view.options.first is None else view.options.first
        return state
