"""The engine of Duel-Edged Sword: the engine interface on top of the rules. It converts the rules'
numbers to actions, sentences, views and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from games.engines.base import About, Engine, IllegalAction, Result, Rng
from games.engines.duel_edged_sword import labels_and_refusals, plain_text
from games.engines.duel_edged_sword.actions import ACTIONS
from games.engines.duel_edged_sword.game_logic import SwordState, new_match
from games.engines.duel_edged_sword.game_options import Options
from games.engines.duel_edged_sword.news_text import news_sentence
from games.engines.duel_edged_sword.picture import draw_table
from games.engines.duel_edged_sword.status_text import ending
from games.engines.duel_edged_sword.view import View, imagine, variant_of, view


class DuelEdgedSwordEngine(Engine[SwordState, View]):
    """Matches collect cards, Completes score, other kinds end a player's round."""

    about: ClassVar = About(
        slug="duel_edged_sword",
        title="Duel-Edged Sword",
        summary="Lay the card you drew at an end of a row; a match collects all that lies between.",
        version=1,
        seats=(4, 4),
        options=Options,
        view=View,
        actions=ACTIONS,
        # At most twenty rounds; in each, every card dealt into the piles is laid once.
        max_actions=20 * (83 - 20 - 1),
        designers=("Gnomon games",),
    )

    def start(self, options: Options, seats: int, rng: Rng) -> SwordState:
        return new_match(variant_of(options), rng)

    def refusal(self, state: SwordState, seat: int, action: Any) -> IllegalAction:
        return labels_and_refusals.refusal(state, seat, action)

    def label(self, state: SwordState, seat: int, action: int) -> str:
        return labels_and_refusals.label(state, seat, self.decode(state, seat, action))

    def view(self, state: SwordState, seat: int | None) -> View:
        return view(state, seat)

    def imagine(self, view: View, rng: Rng) -> SwordState:
        return imagine(view, rng)

    def result(self, state: SwordState) -> Result | None:
        if state.to_act:
            return None
        seen = view(state, None)
        return Result(seen.winners, seen.points, ending(seen))

    def sentence(self, heard: Mapping[str, Any]) -> str:
        return news_sentence(heard)

    def text(self, view: View) -> str:
        return plain_text.text(view)

    def svg(self, view: View) -> str:
        return draw_table(view, plain_text.text(view))
