"""The engine of Law: the engine interface on top of the rules. It converts the rules' numbers to
actions, sentences, views and refusals."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from tabularium_engines.base import About, Engine, Result, Rng
from tabularium_engines.common.agenda import kind_of, subject_of
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.foresight import with_gist
from tabularium_engines.law import action_numbers as n
from tabularium_engines.law import (
    actions,
    foresight,
    labels_and_refusals,
    news_text,
    picture,
    plain_text,
)
from tabularium_engines.law.game_logic import MAX_ACTIONS, LawState, deal
from tabularium_engines.law.game_options import Options, deck_of
from tabularium_engines.law.news_formats import FORMATS
from tabularium_engines.law.pending_choices import is_sealed
from tabularium_engines.law.rulings import RULINGS
from tabularium_engines.law.view import View, imagine, view

MAX_ITEMS_WITHOUT_SUMMARY: Final = 10
KINDS: Final = tuple(news_text.SUMMARIZED_KINDS)


class LawEngine(Engine[LawState, View]):
    """Bills pass Laws, and Laws change the requirements of a Bill."""

    about: ClassVar = About(
        slug="law",
        title="Law",
        summary="Make Bills out of your cards to collect Laws, each of which changes the rules.",
        version=1,
        seats=(2, 4),
        options=Options,
        view=View,
        actions=actions.ACTIONS,
        max_actions=MAX_ACTIONS,  # R64: the rules themselves end the game there
        designers=("Dominic Calkosz",),
        news=FORMATS,
        can_be_drawn=True,
        said=actions.SAID,
    )

    rulings: ClassVar = RULINGS[1]

    refusal = staticmethod(labels_and_refusals.refusal)
    view = staticmethod(view)
    sentence = staticmethod(news_text.news_sentence)
    text = staticmethod(plain_text.text)
    svg = staticmethod(picture.draw_table)
    svg_in_shape = staticmethod(picture.draw_in_shape)

    def start(self, options: Options, seats: int, rng: Rng) -> LawState:
        state = LawState()
        state.record_news()
        state.init_table(seats, deck_of(options))
        state.rulings = self.rulings
        deal(state, self.first_seat(options, seats, rng), rng)
        return state

    def first_seat(self, options: Options, seats: int, rng: Rng) -> int:
        """The seat that begins."""
        return int(rng.below(seats))  # R20

    def imagine(self, view: View, rng: Rng) -> LawState:
        return imagine(view, rng, self.rulings)

    def news(self, state: LawState, seat: int | None) -> list[dict[str, Any]]:
        items = super().news(state, seat)
        if len(items) <= MAX_ITEMS_WITHOUT_SUMMARY:
            return items
        counts = [
            [sum((item["kind"], item["seat"]) == (kind, each) for item in items) for kind in KINDS]
            for each in range(state.seats)
        ]
        summary = {"kind": "summary", "seat": int(state.chain.actor), "counts": counts}
        return [summary | {"text": self.sentence(summary)}, *items]

    def sealed_fields(self, state: LawState, seat: int, action: int) -> dict[str, int]:
        decided = self.decode(state, seat, action)
        if not isinstance(decided, (actions.Choose, actions.ChooseLaw)):
            return {}
        task = state.agenda.top()
        kind = int(kind_of(task))
        if is_sealed(kind):
            return {"card": 1 << seat}  # R32: hidden even from the seat that will receive it
        if kind in (n.TASK_PASS, n.TASK_STEAL):
            return {"card": 1 << seat | 1 << int(n.other_of(subject_of(task)))}
        return {}

    def label(self, state: LawState, seat: int, action: int) -> str:
        return self.label_with(state, seat, action, self.consequences(state, seat, action))

    def label_with(
        self, state: LawState, seat: int, action: int, consequences: Consequences | None
    ) -> str:
        decided = self.decode(state, seat, action)
        label = labels_and_refusals.label(state, seat, decided)
        if isinstance(decided, actions.StraightFlush):
            return label  # which says that it wins
        return with_gist(label, consequences)

    def scores(self, state: LawState, seat: int) -> tuple[int, ...]:
        return foresight.scores(state)

    def consequences(self, state: LawState, seat: int, action: int) -> Consequences | None:
        return foresight.consequences(self, state, seat, action)

    def result(self, state: LawState) -> Result | None:
        if state.to_act:
            return None
        seen = view(state, None)
        return Result(seen.winners, tuple(map(len, seen.laws)), f"{self.ending_text(seen)}.")

    def ending_text(self, seen: View) -> str:
        """How the game ended, as logs of this version have it."""
        return news_text.ending(seen.winners, seen.ending)
