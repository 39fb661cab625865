"""A game of Duel of Law as it stands: what doing something leads to."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.agenda import subject_of
from games.engines.common.bits import bit, members
from games.engines.duel_of_law.choices import DuelChoices
from games.engines.duel_of_law.language.claiming import is_narrowable
from games.engines.duel_of_law.language.holding import settled
from games.engines.duel_of_law.language.wilds import named
from games.engines.duel_of_law.laying import lines_of
from games.engines.duel_of_law.reporting import tell_try, tell_turn
from games.engines.duel_of_law.table import ENDINGS, LEAD, PASSES, TABLE
from games.engines.duel_of_law.tasks import (
    ASK,
    CLAIM,
    DRAW_SIX,
    FINISH,
    LAID,
    LAY,
    MORE,
    NAME,
    PASS,
    PLACE,
    TAKE_BACK,
    asking,
    card_in,
    clause_in,
    named_in,
    place_in,
)

SIX: Final[i64] = 6


class DuelState(DuelChoices):
    """The table, what may be done on it, and how it is done."""

    def deal_in(self, seats: i64, rng: Rng) -> None:
        """Deal; the seat after the dealer begins."""
        self.lay_out(seats)
        self.turn = (rng.below(seats) + 1) % seats  # R35
        self.deal(rng)
        self.begin_turn(self.turn)

    def clone(self) -> DuelState:
        copy = DuelState()
        copy.seats = self.seats
        copy.to_act = self.to_act
        copy.kept = self.kept
        copy.zones = self.zones[:]
        copy.before = self.before
        copy.tableau = self.tableau.clone() if self.is_trying() else self.before
        copy.laid = self.laid[:]
        copy.claimed = self.claimed[:]
        copy.agenda = self.agenda.clone()
        copy.turn = self.turn
        copy.taken_back = self.taken_back
        copy.passes = self.passes
        copy.is_open = self.is_open
        copy.ending = self.ending
        copy.thoughts = self.thoughts
        copy.plan = self.plan
        copy.is_planned = self.is_planned
        copy.is_winning = self.is_winning
        copy.is_imagined = self.is_imagined
        copy.winners = self.winners
        return copy

    def returns(self) -> list[float]:
        worth = [0.0] * self.seats
        champions = members(self.winners)
        for seat in champions:
            worth[seat] = 1.0 / len(champions)
        return worth

    # -- doing it ---------------------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.listening:
            self.news = []
        self.follow(action)
        kind = action & 0xFF
        if kind == DRAW_SIX:
            self.draw(seat, SIX, rng)
            self.passes = 0
            self.next_turn()
        elif kind == PASS:
            self.stand_by(seat)
        else:
            self.try_out(kind, action)
            if len(self.agenda.tasks) == 0:
                self.end_turn(seat, rng)
            elif self.listening:
                tell_try(self, action)

    def try_out(self, kind: i64, action: i64) -> None:
        """A step of a turn that lays cards."""
        if kind == PLACE:
            self.lay(card_in(action), place_in(action))
        elif kind == NAME:
            self.tableau.wilds = named(self.tableau.wilds, card_in(action), named_in(action))
        elif kind == TAKE_BACK:
            self.withdraw()
            self.taken_back += 1
        else:
            task = self.agenda.pop()
            if kind == MORE:
                self.agenda.push(LAY, self.turn)
            else:
                self.answer(kind, subject_of(task), action)

    def answer(self, kind: i64, subject: i64, action: i64) -> None:
        """No more cards, or an answer to a question: on to the next one."""
        if kind == FINISH:
            self.judge()
        elif kind == CLAIM:
            self.claim(subject, clause_in(action))
        self.skip_questions()

    def lay(self, card: i64, place: i64) -> None:
        """A card from the hand lies on the tableau, for whose turn it is alone to see."""
        if not self.is_trying():
            self.tableau = self.before.clone()
        self.tableau.lay(card, place)
        self.zones[card] = TABLE
        self.laid = append(self.laid, card)
        self.agenda.pop()
        self.agenda.push(LAID, self.turn)

    def judge(self) -> None:
        """No more cards: branches grow or are bridged, and every line is put in question."""
        lines = lines_of(self.tableau, self.laid)
        for line in lines:
            branch = self.tableau.on(line)
            if branch.level > 0:
                self.tableau.put(branch)
                self.tableau.wilds = settled(line.cards, branch.law, self.tableau.wilds)
        for index in range(len(lines) - 1, -1, -1):
            self.agenda.push(ASK, self.turn, asking(lines[index].start, lines[index].axis))

    def claim(self, subject: i64, clause: i64) -> None:
        """The line has one clause more, and another owner."""
        line = self.asked(subject)
        branch = self.tableau.on(line).narrowed(clause, self.turn)
        self.tableau.put(branch)
        self.tableau.wilds = settled(line.cards, branch.law, self.tableau.wilds)
        self.claimed = append(self.claimed, subject)

    def skip_questions(self) -> None:
        """Put aside what is no question: one's own branches, and those nobody can narrow."""
        while len(self.agenda.tasks) > 0:
            line = self.asked(subject_of(self.agenda.top()))
            branch = self.tableau.on(line)
            if branch.level == 0:
                return  # R7
            is_own = branch.owner == self.turn  # R10
            if not is_own and is_narrowable(line.cards, branch.law, self.tableau.wilds):
                return
            self.agenda.pop()

    # -- turns ------------------------------------------------------------------------------------

    def end_turn(self, seat: i64, rng: Rng) -> None:
        """What was done is seen; if nobody has won, a card is drawn."""
        if self.listening:
            tell_turn(self)
        self.before = self.tableau
        self.passes = 0
        self.open_up()
        if self.is_open and self.leader() >= 0:
            self.finish(LEAD, bit(self.leader()))
            return
        self.draw(seat, 1, rng)
        self.next_turn()

    def open_up(self) -> None:
        """From the first empty hand on the game can be won."""  # R30
        for seat in range(self.seats):
            if not self.is_open and self.count(seat) == 0:
                self.is_open = True
                if self.listening:
                    self.tell("opened", seat, {})

    def stand_by(self, seat: i64) -> None:
        """Pass; when all have passed the game is over."""  # R32
        self.passes += 1
        if self.listening:
            self.tell("passed", seat, {})
        if self.passes == self.seats:
            self.finish(PASSES, self.best())
        else:
            self.next_turn()

    def next_turn(self) -> None:
        """It is the next seat's turn."""
        self.begin_turn((self.turn + 1) % self.seats)

    def begin_turn(self, seat: i64) -> None:
        """The seat may lay cards, or draw."""
        self.turn = seat
        self.laid = vec[i64]()
        self.claimed = vec[i64]()
        self.taken_back = 0
        self.agenda.clear()
        self.agenda.push(LAY, seat)
        self.to_act = bit(seat)

    def finish(self, ending: i64, winners: i64) -> None:
        """It is over."""
        self.ending = ending
        self.winners = winners
        self.laid = vec[i64]()
        self.claimed = vec[i64]()
        self.taken_back = 0
        self.agenda.clear()
        self.to_act = 0
        if self.listening:
            facts = {"how": ENDINGS[ending], "winners": [int(seat) for seat in members(winners)]}
            self.tell("ended", self.turn, facts)
