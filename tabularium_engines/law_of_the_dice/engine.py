"""The engine of Law of the Dice: the engine interface on top of the rules. It converts the rules'
numbers to actions, sentences, views and refusals."""

from __future__ import annotations

from typing import ClassVar

from tabularium_engines.base import About, Engine, Result, Rng
from tabularium_engines.common.agenda import subject_of
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.foresight import with_gist
from tabularium_engines.law_of_the_dice import action_numbers as n
from tabularium_engines.law_of_the_dice import (
    actions,
    command_text,
    foresight,
    labels_and_refusals,
    picture,
    plain_text,
)
from tabularium_engines.law_of_the_dice.game_logic import DiceState, deal, empty_table
from tabularium_engines.law_of_the_dice.game_options import Options
from tabularium_engines.law_of_the_dice.news_formats import FORMATS
from tabularium_engines.law_of_the_dice.news_text import news_sentence
from tabularium_engines.law_of_the_dice.status_text import ending
from tabularium_engines.law_of_the_dice.view import View, imagine, total_points, variant_of, view

# At most 200 counts, 43 turns between two counts (each draws a card), two actions per turn with
# 18 laws of two decisions each, and seven decisions on the suit of each count.
MAX_ACTIONS = 200 * (43 * (2 * (1 + 2 + 18 * 2) + 1) + 7)


class LawOfTheDiceEngine(Engine[DiceState, View]):
    """Cards are laws, dice trigger them, and counts decide."""

    about: ClassVar = About(
        slug="law_of_the_dice",
        title="Law of the Dice",
        summary="Play cards or make them laws that dice set off; then call a count of a suit.",
        version=1,
        seats=(2, 6),
        options=Options,
        view=View,
        actions=actions.ACTIONS,
        max_actions=MAX_ACTIONS,
        designers=("Gymnier",),
        news=FORMATS,
        can_be_drawn=True,
        said=actions.SAID,
    )

    read_command = staticmethod(command_text.read_command)
    refusal = staticmethod(labels_and_refusals.refusal)
    view = staticmethod(view)
    imagine = staticmethod(imagine)
    sentence = staticmethod(news_sentence)
    text = staticmethod(plain_text.text)
    svg = staticmethod(picture.draw_table)
    svg_in_shape = staticmethod(picture.draw_in_shape)

    def start(self, options: Options, seats: int, rng: Rng) -> DiceState:
        state = empty_table(variant_of(options), seats)
        state.record_news()
        deal(state, rng)
        return state

    def sealed_fields(self, state: DiceState, seat: int, action: int) -> dict[str, int]:
        decided = self.decode(state, seat, action)
        if isinstance(decided, actions.Vote):
            return {"suit": 1 << seat}
        if isinstance(decided, actions.Give):
            return {"card": 1 << seat | 1 << int(subject_of(state.agenda.top()))}
        return {}

    def label(self, state: DiceState, seat: int, action: int) -> str:
        return self.label_with(state, seat, action, self.consequences(state, seat, action))

    def label_with(
        self, state: DiceState, seat: int, action: int, consequences: Consequences | None
    ) -> str:
        label = labels_and_refusals.label(state, seat, action, self.action_codec.from_int)
        return with_gist(label, consequences) if action & 0xFF == n.DECIDE else label

    def scores(self, state: DiceState, seat: int) -> tuple[int, ...]:
        return foresight.scores(state)

    def consequences(self, state: DiceState, seat: int, action: int) -> Consequences | None:
        return foresight.consequences(self, state, seat, action)

    def result(self, state: DiceState) -> Result | None:
        if state.to_act:
            return None
        seen = view(state, None)
        return Result(seen.winners, total_points(seen), ending(seen))
