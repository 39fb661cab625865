"""The engine of Duality: the engine interface on top of the rules. It converts the rules' numbers
to actions, sentences, views and refusals."""

from __future__ import annotations

from typing import ClassVar

from tabularium_engines.base import About, Engine, Result, Rng
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.foresight import with_gist
from tabularium_engines.duality import (
    foresight,
    labels_and_refusals,
    news_text,
    picture,
    plain_text,
    status_text,
)
from tabularium_engines.duality.actions import ACTIONS, Pass
from tabularium_engines.duality.card_svg import LINE_COLOURS
from tabularium_engines.duality.game_logic import (
    MAX_ACTIONS,
    MAX_OCCURRENCES,
    DualityState,
    new_table,
)
from tabularium_engines.duality.game_options import Options
from tabularium_engines.duality.news_formats import FORMATS
from tabularium_engines.duality.news_text import PLAYER_NAMES
from tabularium_engines.duality.view import View, imagine, view


class DualityEngine(Engine[DualityState, View]):
    """Lay cards so that a path of your colour crosses the table."""

    about: ClassVar = About(
        slug="duality",
        title="Duality",
        summary="Lay and replace cards until a path of your colour joins both sides of the table.",
        version=1,
        seats=(2, 2),
        options=Options,
        view=View,
        actions=ACTIONS,
        max_actions=int(MAX_ACTIONS),  # R15
        news=FORMATS,
        can_be_drawn=True,
        said=(Pass,),
    )

    max_occurrences: ClassVar = int(MAX_OCCURRENCES)  # R14; another version may set another

    refusal = staticmethod(labels_and_refusals.refusal)
    view = staticmethod(view)
    sentence = staticmethod(news_text.news_sentence)
    text = staticmethod(plain_text.text)
    boards = staticmethod(plain_text.boards)
    svg = staticmethod(picture.draw_table)
    seat_titles = PLAYER_NAMES
    seat_hues = LINE_COLOURS
    svg_in_shape = staticmethod(picture.draw_in_shape)

    def start(self, options: Options, seats: int, rng: Rng) -> DualityState:
        state = new_table(options.file)
        state.record_news()
        state.set_up(rng)
        state.max_occurrences = self.max_occurrences
        return state

    def label(self, state: DualityState, seat: int, action: int) -> str:
        return self.label_with(state, seat, action, self.consequences(state, seat, action))

    def label_with(
        self, state: DualityState, seat: int, action: int, consequences: Consequences | None
    ) -> str:
        label = labels_and_refusals.label(state, seat, self.decode(state, seat, action))
        return with_gist(label, consequences)

    def scores(self, state: DualityState, seat: int) -> tuple[int, ...]:
        return foresight.scores(state)

    def consequences(self, state: DualityState, seat: int, action: int) -> Consequences | None:
        return foresight.consequences(self, state, seat, action)

    def imagine(self, view: View, rng: Rng) -> DualityState:
        state = imagine(view, rng)
        state.max_occurrences = self.max_occurrences
        return state

    def result(self, state: DualityState) -> Result | None:
        if state.to_act:
            return None
        seen = view(state, None)
        return Result(seen.winners, seen.longest, status_text.ending(seen))
