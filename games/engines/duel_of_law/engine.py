"""The engine of Duel of Law: the engine interface on top of the rules. It converts the rules'
numbers to actions, sentences, views and refusals."""

from __future__ import annotations

from typing import ClassVar

from games.engines.base import About, Engine, Result, Rng
from games.engines.duel_of_law import actions, news_text, picture, plain_text, status_text
from games.engines.duel_of_law import labels_and_refusals as labels
from games.engines.duel_of_law.action_numbers import DRAW_SIX, PASS
from games.engines.duel_of_law.game_logic import DuelState
from games.engines.duel_of_law.game_options import Options
from games.engines.duel_of_law.view import View, imagine, rulings_of, view

# Each turn that lays cards leaves one of 161 on the table, and the three other seats can pass
# between two of these; six cards can be drawn 23 times. A turn allows three tries (R37), each of
# which lays a hand of up to 149 with a `more` after each card, names six jokers in six respects,
# and answers for 150 lines.
MAX_ACTIONS = (161 * 4 + 4 + 23) * 3 * (2 * 149 + 6 * 6 + 150 + 2)


class DuelOfLawEngine(Engine[DuelState, View]):
    """Lay cards in lines, find the laws they follow, and steal lines by narrower laws."""

    about: ClassVar = About(
        slug="duel_of_law",
        title="Duel of Law",
        summary="Lay cards in lines that follow laws, and steal lines by finding narrower laws.",
        version=1,
        seats=(2, 4),
        options=Options,
        view=View,
        actions=actions.ACTIONS,
        max_actions=MAX_ACTIONS,
        designers=("Ron Hale-Evans", "Marty Hale-Evans"),
    )

    refusal = staticmethod(labels.refusal)
    view = staticmethod(view)
    imagine = staticmethod(imagine)
    sentence = staticmethod(news_text.news_sentence)
    text = staticmethod(plain_text.text)
    svg = staticmethod(picture.draw_table)

    def start(self, options: Options, seats: int, rng: Rng) -> DuelState:
        state = DuelState()
        state.record_news()
        state.set_up(seats, rng, rulings_of(options))
        return state

    def sealed_fields(self, state: DuelState, seat: int, action: int) -> dict[str, int]:
        if action & 0xFF in (DRAW_SIX, PASS):
            return {}
        return {"": 1 << seat}  # R38

    def label(self, state: DuelState, seat: int, action: int) -> str:
        return labels.label(state, self.decode(state, seat, action))

    def result(self, state: DuelState) -> Result | None:
        if state.to_act:
            return None
        seen = view(state, None)
        return Result(seen.winners, seen.owned, status_text.ending(seen))
