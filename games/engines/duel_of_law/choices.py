"""What may whose turn it is do now? All of it, one thing, something at random, or the best."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.agenda import kind_of, subject_of
from games.engines.common.bits import bit
from games.engines.duel_of_law.language.claiming import claims
from games.engines.duel_of_law.language.wilds import namings
from games.engines.duel_of_law.laying import (
    first_placings,
    is_lawful,
    jokers_in,
    may_begin,
    may_continue,
    next_placings,
)
from games.engines.duel_of_law.planning import (
    Trial,
    promising_answers,
    promising_beginnings,
    promising_steps,
    quick_beginnings,
)
from games.engines.duel_of_law.racing import AHEAD, lead, winning_steps
from games.engines.duel_of_law.table import PILE, DuelTable
from games.engines.duel_of_law.tableau import Line
from games.engines.duel_of_law.tasks import (
    ASK,
    DRAW_SIX,
    FINISH,
    LAID,
    LAY,
    LEAVE,
    MORE,
    PASS,
    PLACE,
    TAKE_BACK,
    card_in,
    claiming,
    naming,
    place_in,
)
from games.engines.duel_of_law.wandering import NOTHING, random_beginning, random_step

RETRIES: Final[i64] = 2  # R37
RESTLESS: Final[i64] = 12  # one in so many random turns draws, whatever could be laid


class DuelChoices(DuelTable):
    """The table, and the one decision that is open on it."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[i64] = []  # what may be done, once somebody has asked; never changed
        self.thoughts: list[i64] = []  # the best of it, likewise
        self.plan: list[i64] = []  # how the turn in progress wins, once somebody has asked
        self.is_planned: bool = False
        self.is_winning: bool = False
        self.is_imagined: bool = False  # then others are not worth long thoughts

    def forget(self) -> None:
        """The table has changed, or the hand of whoever is to act."""
        self.kept = []
        self.thoughts = []
        self.is_planned = False

    def determinize(self, seat: i64, rng: Rng) -> None:
        if seat != self.turn:
            self.forget()
        self.is_imagined = True
        super().determinize(seat, rng)

    # -- all of it --------------------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if self.to_act != bit(seat):
            return []
        if len(self.kept) == 0:
            self.kept = self.options(seat)
        return self.kept[:]

    def options(self, seat: i64) -> list[i64]:
        """All that may be done now; to find it takes long, so `legal_actions` keeps it."""
        task = self.agenda.top()
        if kind_of(task) == ASK:
            return self.answers(subject_of(task))
        if kind_of(task) == LAID:
            return self.continuations()
        return self.beginnings(seat) if len(self.laid) == 0 else [*self.placings(), TAKE_BACK]

    def beginnings(self, seat: i64) -> list[i64]:
        """How a turn may begin."""
        found: list[i64] = []
        if self.taken_back <= RETRIES:  # R37
            found = first_placings(self.tableau, self.held(seat))
        found.append(DRAW_SIX if self.count(PILE) > 0 else PASS)  # R33
        return found

    def placings(self) -> list[i64]:
        """How another card may be laid."""
        return next_placings(self.tableau, self.laid, self.held(self.turn))

    def continuations(self) -> list[i64]:
        """How a turn may go on once a card is laid."""
        found: list[i64] = []
        for joker in jokers_in(self.tableau, self.laid):
            found += [naming(joker, clause) for clause in namings(self.tableau.wilds, joker)]
        if len(self.placings()) > 0:
            found.append(MORE)
        if is_lawful(self.tableau, self.laid):
            found.append(FINISH)
        found.append(TAKE_BACK)
        return found

    def answers(self, subject: i64) -> list[i64]:
        """How the question about a line may be answered."""
        line = self.asked(subject)
        law = self.tableau.on(line).law
        found = [claiming(clause) for clause in claims(line.cards, law, self.tableau.wilds)]
        if len(law) > 0:
            found.append(LEAVE)  # R8
        found.append(TAKE_BACK)
        return found

    def asked(self, subject: i64) -> Line:
        """The line that a task asks about."""
        return self.tableau.line(subject >> 1, subject & 1)

    # -- one thing --------------------------------------------------------------------------------

    def is_legal(self, seat: i64, action: i64) -> bool:
        if self.to_act != bit(seat):
            return False
        kind, task = action & 0xFF, kind_of(self.agenda.top())
        if kind == PLACE:
            return task == LAY and self.may_place(seat, card_in(action), place_in(action))
        if action == TAKE_BACK:
            return len(self.laid) > 0
        if action == FINISH:
            return task == LAID and is_lawful(self.tableau, self.laid)
        return action in self.legal_actions(seat)

    def may_place(self, seat: i64, card: i64, place: i64) -> bool:
        """May this card be laid there next?"""
        if self.zones[card] != seat:
            return False
        if len(self.laid) > 0:
            return may_continue(self.tableau, self.laid, card, place)
        return self.taken_back <= RETRIES and may_begin(self.tableau, card, place)

    # -- some of it -------------------------------------------------------------------------------

    def random_action(self, seat: i64, rng: Rng) -> i64:
        """A step of a random turn that is lawful; only who finds none, or has no luck, draws."""
        task = self.agenda.top()
        if kind_of(task) == ASK:
            answers = self.answers(subject_of(task))
            return answers[rng.below(max(len(answers) - 1, 1))]  # the last one takes back
        if len(self.laid) > 0:
            hand = self.held(seat)
            return random_step(self.tableau, self.laid, hand, kind_of(task) == LAID, rng)
        found = NOTHING
        if self.taken_back <= RETRIES and (self.count(PILE) == 0 or rng.below(RESTLESS) > 0):
            found = random_beginning(self.tableau, self.held(seat), rng)
        if found != NOTHING:
            return found
        return DRAW_SIX if self.count(PILE) > 0 else PASS

    def promising(self, seat: i64) -> list[i64]:
        if self.to_act != bit(seat):
            return []
        if len(self.thoughts) == 0:
            self.thoughts = self.think(seat)
        return self.thoughts

    def think(self, seat: i64) -> list[i64]:
        """The best plays' first steps, what makes the cards laid lawful, the closest laws."""
        task = self.agenda.top()
        if kind_of(task) == ASK:
            law = self.tableau.on(self.asked(subject_of(task))).law
            return promising_answers(law, self.answers(subject_of(task)))
        if len(self.laid) > 0:
            hand = self.held(seat)
            trial = Trial(self.tableau, self.laid, seat)
            steps = promising_steps(trial, hand, kind_of(task) == LAID)
            return self.planned(steps) if self.is_won() else steps
        found: list[i64] = []
        if self.taken_back <= RETRIES:
            hand = self.held(seat)
            if self.is_imagined:
                found = quick_beginnings(self.tableau, hand, seat)
            else:
                found = promising_beginnings(self.tableau, hand, seat)
        found.append(DRAW_SIX if self.count(PILE) > 0 else PASS)
        return found

    def planned(self, steps: list[i64]) -> list[i64]:
        """The next step of the plan that wins. As long as it takes a line that is still to be made
        the others are thought of, too."""
        step = FINISH
        if len(self.plan) > 0:
            step = MORE if kind_of(self.agenda.top()) == LAID else self.plan[0]
        if lead(self.tableau, self.laid, self.turn, self.seats) >= AHEAD or step in steps:
            return [step]
        return [step, *steps]

    def is_won(self) -> bool:
        """Can the turn in progress be ended so that it wins? Then there is a plan for it."""
        if len(self.laid) == 0 or self.to_act == 0:
            return False
        if not self.is_planned:
            self.is_planned = True
            self.plan = []
            self.is_winning = self.wins_now()
            if not self.is_winning and not self.is_open and kind_of(self.agenda.top()) != ASK:
                hand = self.held(self.turn)
                self.plan = winning_steps(self.tableau, self.laid, hand, self.turn, self.seats)
                self.is_winning = len(self.plan) > 0
        return self.is_winning

    def wins_now(self) -> bool:
        """Does it win to lay no more cards?"""
        task = kind_of(self.agenda.top())
        if task == LAY or not (self.is_open or self.count(self.turn) == 0):
            return False
        if lead(self.tableau, self.laid, self.turn, self.seats) < AHEAD:
            return False
        return task == ASK or is_lawful(self.tableau, self.laid)

    def follow(self, action: i64) -> None:
        """Somebody acts: what was thought of it is over, but for the rest of a plan."""
        plan = self.plan
        if len(plan) > 0 and action == plan[0]:
            plan = plan[1:]
        elif action != MORE:
            plan = []
        self.forget()
        if len(plan) > 0:
            self.plan = plan
            self.is_planned = True
            self.is_winning = True
