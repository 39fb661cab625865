"""The border of Duel-Edged Sword: numbers become actions, sentences, views and refusals here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from games.engines.base import About, Engine, IllegalAction, Result, Rng
from games.engines.duel_edged_sword import actions, captions, news, render, words
from games.engines.duel_edged_sword.options import Options
from games.engines.duel_edged_sword.state import SwordState
from games.engines.duel_edged_sword.view import View, imagine, set_options, view

# At most twenty rounds, and in each every card is laid once that is dealt into the piles.
LONGEST = 20 * (83 - 20 - 1)


class DuelEdgedSword(Engine[SwordState, View]):
    """Matches collect; Completes score; the rest cuts."""

    about: ClassVar = About(
        slug="duel_edged_sword",
        title="Duel-Edged Sword",
        summary="Lay the card you drew at an end of a row; a match collects all that lies between.",
        version=1,
        seats=(4, 4),
        options=Options,
        view=View,
        actions=actions.ACTIONS,
        longest=LONGEST,
        designers=("Gnomon games",),
    )

    def start(self, options: Options, seats: int, rng: Rng) -> SwordState:
        state = SwordState()
        state.listen()
        set_options(state, options)
        state.deal_in(rng)
        return state

    def refusal(self, state: SwordState, seat: int, action: Any) -> IllegalAction:
        return words.refusal(state, seat, action)

    def label(self, state: SwordState, seat: int, action: int) -> str:
        return words.label(state, seat, self.decode(state, seat, action))

    def view(self, state: SwordState, seat: int | None) -> View:
        return view(state, seat)

    def imagine(self, view: View, rng: Rng) -> SwordState:
        return imagine(view, rng)

    def result(self, state: SwordState) -> Result | None:
        if state.to_act:
            return None
        seen = view(state, None)
        reason = captions.ending(seen.winners, max(seen.points), seen.challenge, seen.round)
        return Result(seen.winners, seen.points, reason)

    def sentence(self, heard: Mapping[str, Any]) -> str:
        return news.sentence(heard)

    def text(self, view: View) -> str:
        return render.text(view)

    def svg(self, view: View) -> str:
        return render.svg(view)
