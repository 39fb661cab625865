"""The engine of Duel of Law: the engine interface on top of the rules. It converts the rules'
numbers to actions, sentences, views and refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tabularium_engines.base import About, Engine, Result, Rng
from tabularium_engines.common.agenda import kind_of, subject_of
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.foresight import with_gist
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.duel_of_law import (
    actions,
    foresight,
    news_text,
    picture,
    plain_text,
    status_text,
)
from tabularium_engines.duel_of_law import labels_and_refusals as labels
from tabularium_engines.duel_of_law.action_numbers import (
    CLAIM,
    DRAW_SIX,
    PASS,
    TASK_QUESTION,
    encode_claim,
)
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import Options
from tabularium_engines.duel_of_law.laws.clause_codes import clause_fields
from tabularium_engines.duel_of_law.laws.law_language import FIRST_LANGUAGE
from tabularium_engines.duel_of_law.laws.spoken_law_text import clause_said
from tabularium_engines.duel_of_law.news_formats import FORMATS
from tabularium_engines.duel_of_law.news_text import player_name
from tabularium_engines.duel_of_law.tableau_svg import TOKEN_COLOURS
from tabularium_engines.duel_of_law.view import View, imagine, rulings_of, view

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
        said=actions.SAID,
        designers=("Ron Hale-Evans", "Marty Hale-Evans"),
        forms=actions.FORMS,
        news=FORMATS,
        can_be_drawn=True,
    )
    # the clauses of these rules
    catalogue: ClassVar = tuple(int(clause) for clause in FIRST_LANGUAGE.clauses)

    refusal = staticmethod(labels.refusal)
    view = staticmethod(view)
    imagine = staticmethod(imagine)
    sentence = staticmethod(news_text.news_sentence)
    text = staticmethod(plain_text.text)
    svg = staticmethod(picture.draw_table)
    seat_titles = tuple(map(player_name, range(4)))
    seat_hues = TOKEN_COLOURS
    svg_in_shape = staticmethod(picture.draw_in_shape)

    def start(self, options: Options, seats: int, rng: Rng) -> DuelState:
        state = DuelState()
        state.record_news()
        state.set_up(seats, rng, rulings_of(options))
        return state

    def sealed_fields(self, state: DuelState, seat: int, action: int) -> dict[str, int]:
        if action & 0xFF in (DRAW_SIX, PASS):
            return {}
        return {"": 1 << seat}  # R38

    def full_form(self, state: DuelState, seat: int, form: actions.SaidClaim) -> actions.Claim:
        def holds(clause: int) -> bool:
            return state.is_legal(seat, encode_claim(clause))

        if self.may_claim(state, seat):
            cards = state.turn.line_in_question(subject_of(state.turn.agenda.top())).cards
            clause = clause_said(form.law, self.catalogue, holds, cards)
        else:
            clause = clause_said(form.law, self.catalogue, None)
        claim: actions.Claim = self.about.actions[CLAIM](**clause_fields(clause))
        return claim

    def forms_now(self, state: DuelState, seat: int) -> tuple[type[Any], ...]:
        return self.about.forms if self.may_claim(state, seat) else ()

    def read_command(self, view: View, line: str) -> Sequence[Mapping[str, Any]]:
        """A law in words, when the viewer is asked for one."""
        seat = view.seat
        state = self.imagine(view, FastRng(0))
        if seat is None or not self.may_claim(state, seat):
            return ()
        claim = self.full_form(state, seat, actions.SaidClaim(line))
        return (self.action_codec.to_json(claim),)

    def may_claim(self, state: DuelState, seat: int) -> bool:
        """Whether a seat is asked for the law of a line."""
        if state.to_act == 0 or seat != state.turn.seat:
            return False
        return bool(kind_of(state.turn.agenda.top()) == TASK_QUESTION)

    def label(self, state: DuelState, seat: int, action: int) -> str:
        return self.label_with(state, seat, action, self.consequences(state, seat, action))

    def label_with(
        self, state: DuelState, seat: int, action: int, consequences: Consequences | None
    ) -> str:
        label = labels.label(state, self.decode(state, seat, action))
        return with_gist(label, consequences)

    def scores(self, state: DuelState, seat: int) -> tuple[int, ...]:
        return foresight.scores(state, seat)

    def consequences(self, state: DuelState, seat: int, action: int) -> Consequences | None:
        return foresight.consequences(self, state, seat, action)

    def result(self, state: DuelState) -> Result | None:
        if state.to_act:
            return None
        seen = view(state, None)
        return Result(seen.winners, seen.owned, status_text.ending(seen))
