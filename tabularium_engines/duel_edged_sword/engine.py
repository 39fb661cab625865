"""The engine of Duel-Edged Sword: the engine interface on top of the rules. It converts the rules'
numbers to actions, sentences, views and refusals."""

from __future__ import annotations

from typing import ClassVar

from tabularium_engines.base import About, Engine, Result, Rng
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.foresight import with_gist
from tabularium_engines.common.names_svg import HUES
from tabularium_engines.duel_edged_sword import foresight, labels_and_refusals, plain_text
from tabularium_engines.duel_edged_sword.actions import ACTIONS
from tabularium_engines.duel_edged_sword.game_logic import SwordState, new_match
from tabularium_engines.duel_edged_sword.game_options import Options
from tabularium_engines.duel_edged_sword.news_formats import FORMATS
from tabularium_engines.duel_edged_sword.news_text import SEAT_NAMES, news_sentence
from tabularium_engines.duel_edged_sword.picture import draw_in_shape, draw_table
from tabularium_engines.duel_edged_sword.rulings import RULINGS
from tabularium_engines.duel_edged_sword.status_text import ending
from tabularium_engines.duel_edged_sword.view import View, imagine, variant_of, view


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
        news=FORMATS,
        can_be_drawn=True,
    )

    rulings: ClassVar = RULINGS[1]

    refusal = staticmethod(labels_and_refusals.refusal)
    view = staticmethod(view)
    sentence = staticmethod(news_sentence)
    text = staticmethod(plain_text.text)
    svg = staticmethod(draw_table)
    seat_titles = SEAT_NAMES
    seat_hues = HUES
    svg_in_shape = staticmethod(draw_in_shape)

    def start(self, options: Options, seats: int, rng: Rng) -> SwordState:
        return new_match(variant_of(options, self.rulings), rng)

    def imagine(self, view: View, rng: Rng) -> SwordState:
        return imagine(view, variant_of(view.options, self.rulings), rng)

    def label(self, state: SwordState, seat: int, action: int) -> str:
        return self.label_with(state, seat, action, self.consequences(state, seat, action))

    def label_with(
        self, state: SwordState, seat: int, action: int, consequences: Consequences | None
    ) -> str:
        label = labels_and_refusals.label(state, self.decode(state, seat, action))
        return with_gist(label, consequences)

    def scores(self, state: SwordState, seat: int) -> tuple[int, ...]:
        return foresight.scores(state)

    def consequences(self, state: SwordState, seat: int, action: int) -> Consequences | None:
        return foresight.consequences(self, state, seat, action)

    def result(self, state: SwordState) -> Result | None:
        if state.to_act:
            return None
        seen = view(state, None)
        return Result(seen.winners, seen.points, ending(seen))
