"""The rules of Duel of Law: the deal, the legal actions, and their effects."""

from __future__ import annotations

from typing import Any, Final

from mypy_extensions import i64

from tabularium_engines.base import Rng, State
from tabularium_engines.common.agenda import Agenda, subject_of
from tabularium_engines.common.bits import bit, members
from tabularium_engines.duel_of_law import action_numbers as n
from tabularium_engines.duel_of_law import game_end
from tabularium_engines.duel_of_law.card_zones import (
    ZONE_PILE,
    ZONE_TABLE,
    CardZones,
    undealt_cards,
)
from tabularium_engines.duel_of_law.cards import card_code
from tabularium_engines.duel_of_law.game_end import GameEnd
from tabularium_engines.duel_of_law.legal_actions import (
    can_finish,
    can_place,
    can_undo,
    is_claimable,
    list_legal_actions,
    may_lay_nothing,
)
from tabularium_engines.duel_of_law.news_publication import laid_facts, trial_facts, turn_news
from tabularium_engines.duel_of_law.random_play import random_action
from tabularium_engines.duel_of_law.rulings import FIRST_RULINGS, Rulings
from tabularium_engines.duel_of_law.tableau import ORIGIN, empty_tableau
from tabularium_engines.duel_of_law.turn_in_progress import Turn

HAND_SIZE: Final[i64] = 12  # cards dealt to each
CARDS_PER_DRAW: Final[i64] = 6


class DuelState(State):
    """A table: where the cards are, the turn in progress, and how near the end is."""

    zones: CardZones
    turn: Turn
    end: GameEnd
    known_actions: list[i64]  # the legal actions, once listed, which takes long; or none

    def __init__(self) -> None:  # an inherited one runs twice when interpreted code calls the class
        super().__init__()

    def init_table(self, seats: i64, rulings: Rulings = FIRST_RULINGS) -> None:
        """Set up a table before the deal."""
        self.seats = seats
        self.zones = undealt_cards()
        self.turn = Turn(0, empty_tableau(rulings.language), Agenda(), rulings)
        self.end = GameEnd()
        self.known_actions = []

    def clone(self) -> DuelState:
        copy = DuelState()
        copy.seats = self.seats
        copy.to_act = self.to_act
        copy.zones = self.zones.clone()
        copy.turn = self.turn.clone()
        copy.end = self.end.clone()
        copy.known_actions = self.known_actions
        return copy

    def contents(self) -> list[Any]:
        table = [self.seats, self.to_act, self.zones.contents()]
        return [*table, *self.turn.contents(), *self.end.contents()]

    def cards(self) -> list[i64]:
        everywhere = self.turn.tableau.cards() + self.zones.cards(ZONE_PILE)
        for seat in range(self.seats):
            everywhere += self.zones.cards(seat)
        everywhere.sort()
        return everywhere

    def returns(self) -> list[float]:
        return self.shared_victory(self.end.winners)

    def determinize(self, seat: i64, rng: Rng) -> None:
        turn = self.turn
        if seat != turn.seat:
            self.known_actions = []
            if self.to_act != 0:
                turn.undo(self.zones)  # R38
        self.zones.redeal(seat, self.seats, rng)

    # -- the deal ---------------------------------------------------------------------------------

    def set_up(self, seats: i64, rng: Rng, rulings: Rulings = FIRST_RULINGS) -> None:
        """Deal twelve cards to each seat, and one that the tableau begins with; the seat after the
        dealer begins."""
        self.init_table(seats, rulings)
        self.turn.seat = (rng.below(seats) + 1) % seats  # R35
        for seat in range(self.seats):
            self.draw_cards(seat, HAND_SIZE, rng)
        card = self.zones.draw(ZONE_TABLE, rng)
        self.turn.tableau.lay(card, ORIGIN)
        if self.is_recording_news:
            self.add_news("began", self.turn.seat, laid_facts(self.turn.tableau, card))
        self.begin_turn(self.turn.seat)

    def draw_cards(self, seat: i64, number: i64, rng: Rng) -> None:
        """Move this many cards from the pile to a hand, or all that are left."""  # R31
        left = min(number, self.zones.count(ZONE_PILE))
        drawn = [self.zones.draw(seat, rng) for _ in range(left)]
        if self.is_recording_news and len(drawn) > 0:
            drawn.sort()
            secret = {"cards": [card_code(card) for card in drawn]}
            self.add_news("drew", seat, {"count": len(drawn)}, secret, bit(seat))

    # -- actions ----------------------------------------------------------------------------------

    def legal_actions(self, seat: i64) -> list[i64]:
        if self.to_act != bit(seat):
            return []
        if len(self.known_actions) == 0:
            self.known_actions = list_legal_actions(self.turn, self.zones)
        return self.known_actions[:]

    def is_legal(self, seat: i64, action: i64) -> bool:
        if self.to_act != bit(seat):
            return False
        if action & 0xFF == n.PLACE:
            return can_place(self.turn, self.zones, n.card_in(action), n.place_in(action))
        if action & 0xFF == n.CLAIM:
            return is_claimable(self.turn, n.clause_in(action))
        if action in (n.DRAW_SIX, n.PASS):
            return may_lay_nothing(self.turn, self.zones, action)
        if action == n.TAKE_BACK:
            return len(self.turn.laid) > 0
        if action == n.UNDO:
            return can_undo(self.turn)
        if action == n.FINISH:
            return can_finish(self.turn)
        return action in self.legal_actions(seat)

    def random_action(self, seat: i64, rng: Rng) -> i64:
        return random_action(self.turn, self.zones, rng)

    # -- effects ----------------------------------------------------------------------------------

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        if self.is_recording_news:
            self.news = []
        self.known_actions = []
        kind = action & 0xFF
        if kind == n.DRAW_SIX:
            self.draw_cards(seat, CARDS_PER_DRAW, rng)
            self.end.passes = 0
            if not self.is_won():
                self.next_turn()
        elif kind == n.PASS:
            self.pass_turn(seat)
        else:
            self.apply_trial_step(kind, action)
            if len(self.turn.agenda.tasks) == 0:
                self.end_turn(seat, rng)
            elif self.is_recording_news:  # the others learn only that there was a step  # R38
                self.add_news("tried", seat, {}, trial_facts(self.turn, action), bit(seat))

    def apply_trial_step(self, kind: i64, action: i64) -> None:
        """Apply a step of a turn that lays cards."""
        turn = self.turn
        if kind == n.PLACE:
            turn.lay(n.card_in(action), n.place_in(action), self.zones)
        elif kind == n.NAME:
            turn.name_joker(n.card_in(action), n.name_clause_in(action))
        elif kind == n.TAKE_BACK:
            tries = turn.taken_back + 1
            turn.undo(self.zones)
            turn.taken_back = tries
        elif kind == n.UNDO:
            tries = turn.taken_back + 1
            turn.undo_last_card(self.zones)
            turn.taken_back = tries
        elif kind == n.MORE:
            turn.agenda.pop()
            turn.agenda.push(n.TASK_LAY, turn.seat)
        else:
            task = turn.agenda.pop()
            if kind == n.FINISH:
                turn.question_lines()
            elif kind == n.CLAIM:
                turn.claim(subject_of(task), n.clause_in(action))
            turn.skip_settled_questions()

    # -- turns ------------------------------------------------------------------------------------

    def end_turn(self, seat: i64, rng: Rng) -> None:
        """Publish the turn; if no player has won, draw a card."""
        turn = self.turn
        if self.is_recording_news:
            for kind, facts in turn_news(turn):
                self.add_news(kind, seat, facts)
        turn.publish()
        self.end.passes = 0
        if turn.rulings.opens_at_once:
            self.check_empty_hands()
        if self.is_won():
            return
        self.check_empty_hands()
        self.draw_cards(seat, 1, rng)
        self.next_turn()

    def is_won(self) -> bool:
        """Whether a lead ends the game at the end of a turn."""  # R29
        leader = game_end.leading_seat(self.turn.tableau, self.seats) if self.end.is_open else -1
        if leader < 0:
            return False
        self.finish(game_end.ENDED_BY_LEAD, bit(leader))
        return True

    def check_empty_hands(self) -> None:
        """Open the game to winning from the first empty hand on."""  # R30
        for seat in range(self.seats):
            if not self.end.is_open and self.zones.count(seat) == 0:
                self.end.is_open = True
                self.add_news("opened", seat, {})

    def pass_turn(self, seat: i64) -> None:
        """Pass; when all have passed the game is over."""  # R32
        self.end.passes += 1
        self.add_news("passed", seat, {})
        if self.is_won():
            return
        if self.end.passes == self.seats:
            best = game_end.best_seats(self.turn.tableau, self.seats)
            self.finish(game_end.ENDED_BY_PASSES, best)
        else:
            self.next_turn()

    def next_turn(self) -> None:
        """Begin the next seat's turn."""
        self.begin_turn((self.turn.seat + 1) % self.seats)

    def begin_turn(self, seat: i64) -> None:
        """Begin a turn of this seat."""
        self.turn.begin(seat)
        self.to_act = bit(seat)

    def finish(self, ending: i64, winners: i64) -> None:
        """End the game."""
        self.end.ending = ending
        self.end.winners = winners
        self.turn.end()
        self.to_act = 0
        if self.is_recording_news:
            names = [int(seat) for seat in members(winners)]
            facts = {"how": game_end.ENDING_NAMES[ending], "winners": names}
            self.add_news("ended", self.turn.seat, facts)
