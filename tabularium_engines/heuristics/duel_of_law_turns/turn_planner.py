"""The turn planner: the best ways to play a whole turn, each with its worth."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.common.agenda import kind_of
from tabularium_engines.duel_of_law import action_numbers as n
from tabularium_engines.duel_of_law.card_zones import CardZones
from tabularium_engines.duel_of_law.cards import CARD_COUNT, is_joker
from tabularium_engines.duel_of_law.placement_rules import next_place_actions
from tabularium_engines.duel_of_law.tableau import NO_PLACE, Tableau
from tabularium_engines.duel_of_law.turn_in_progress import Turn
from tabularium_engines.heuristics.base import Plan
from tabularium_engines.heuristics.duel_of_law_turns.play_generator import Play, PlayGenerator
from tabularium_engines.heuristics.duel_of_law_turns.turn_worth import (
    CERTAIN_LOSS,
    CERTAIN_WIN,
    TurnWorth,
)
from tabularium_engines.heuristics.duel_of_law_turns.whole_hand_line import (
    whole_hand_plays,
    whole_hand_steps,
)

PLAYS_TRIED: Final[i64] = 48  # of one or two cards …
PLAYS_TRIED_AT_THE_END: Final[i64] = 200  # … and where each branch may decide
PLAYS_IMAGINED: Final[i64] = 16  # of one card, as expected of the turns to come
MAX_PLAY_CARDS: Final[i64] = 7
PLANS_KEPT: Final[i64] = 8
BEAM_WIDTH: Final[i64] = 4  # plays that are lengthened


class JudgedPlays:
    """Plays, each with its worth."""

    def __init__(self) -> None:
        self.plays: list[Play] = []
        self.worths: list[float] = []

    def add(self, play: Play, worth: float) -> None:
        """Add a play."""
        self.plays.append(play)
        self.worths.append(worth)

    def best(self, number: i64) -> JudgedPlays:
        """The plays with the highest worth, the best of them first; among equals, those that came
        first."""
        pairs = [(-self.worths[at], at) for at in range(len(self.worths))]
        pairs.sort()
        found = JudgedPlays()
        for pair in pairs[:number]:
            found.add(self.plays[pair[1]], self.worths[pair[1]])
        return found


class TurnPlanner:
    """Finds plans for the turn in progress."""

    def __init__(
        self, turn: Turn, zones: CardZones, seats: i64, is_open: bool, most_cards: i64 = CARD_COUNT
    ) -> None:
        self.turn = turn
        self.is_open: bool = is_open
        self.most_cards: i64 = most_cards  # that a turn may lay
        self.turn_worth: TurnWorth = TurnWorth(turn, zones, seats, is_open)
        self.hand: list[i64] = self.turn_worth.hand
        self.found: JudgedPlays = JudgedPlays()

    def imagined_plans(self) -> list[Plan]:
        """Plans of one card for a turn that has not begun, which are found at once."""
        plays = PlayGenerator(self.turn.tableau, self.hand, self.turn.seat).one_card_plays()
        merits = [play.expected_gain for play in plays]
        found: list[Plan] = []
        for play in best_by_merit(plays, merits, PLAYS_IMAGINED):
            worth = self.turn_worth.worth_of(self._laid_on_table(play), play.cards)
            if worth >= 0.0:
                found.append(Plan(self._actions_of(play), worth))
        return found

    def opening_plans(self) -> list[Plan]:
        """The best plans of a turn that has not begun, the best of them first."""
        tableau, seat = self.turn.tableau, self.turn.seat
        plays = PlayGenerator(tableau, self.hand, seat).one_and_two_card_plays()
        pairs = JudgedPlays()
        for play in _most_promising(plays, PLAYS_TRIED_AT_THE_END if self.is_open else PLAYS_TRIED):
            self._judge(play)
            if len(play.cards) == 2:
                pairs.add(play, self.found.worths[len(self.found.worths) - 1])
        self._add_longer_plays(pairs.best(BEAM_WIDTH).plays)
        if self._may_open_the_end():
            for steps in whole_hand_plays(tableau, self.hand, seat):
                self._judge(_extended(Play(vec[i64](), vec[i64]()), steps))
        return self._best_plans()

    def continuing_plans(self, may_finish: bool) -> list[Plan]:
        """The best plans on from the cards laid; one without steps stops here."""
        turn = self.turn
        here = Play(turn.laid, vec[i64]([turn.tableau.spots[card] for card in turn.laid]))
        if may_finish:
            self._judge(here)
        self._add_longer_plays([here])
        if self._may_open_the_end():
            steps = whole_hand_steps(turn.tableau, turn.laid, self.hand)
            if len(steps) > 0:
                self._judge(_extended(here, steps))
        return self._best_plans()

    def _judge(self, play: Play) -> None:
        self.found.add(play, self.turn_worth.worth_of(self._laid_on_table(play), play.cards))

    def _may_open_the_end(self) -> bool:
        """Whether to empty the hand could be of use: not for a seat that is behind."""
        owned = self.turn_worth.standing.owned
        if len(self.turn.laid) + len(self.hand) > self.most_cards:
            return False
        return not self.is_open and owned[self.turn.seat] == max(owned)

    def _laid_on_table(self, play: Play) -> Tableau:
        """The tableau with the cards of a play that do not lie there already."""
        trial = self.turn.tableau.clone()
        for at in range(len(self.turn.laid), len(play.cards)):
            trial.lay(play.cards[at], play.places[at])
        return trial

    def _add_longer_plays(self, beam: list[Play]) -> None:
        """Judge longer plays that a beam search finds, from those in the beam on."""
        longest = min(MAX_PLAY_CARDS + len(self.turn.laid), self.most_cards)
        while len(beam) > 0 and len(beam[0].cards) < longest:
            longer = JudgedPlays()
            for play in beam:
                self._lengthen(play, longer)
            longer = longer.best(BEAM_WIDTH)
            for at in range(len(longer.plays)):
                self.found.add(longer.plays[at], longer.worths[at])
            beam = longer.plays

    def _lengthen(self, play: Play, longer: JudgedPlays) -> None:
        """Judge a play with each card that may follow."""
        trial = self._laid_on_table(play)
        rest = [card for card in self.hand if trial.spots[card] == NO_PLACE]
        for step in next_place_actions(trial, play.cards, rest):
            card, place = n.card_in(step), n.place_in(step)
            trial.lay(card, place)
            worth = self.turn_worth.worth_of(trial, append(play.cards[:], card))
            trial.lift(card)
            longer.add(play.with_card(card, place), worth)

    def _best_plans(self) -> list[Plan]:
        """The best plays as plans, with their exact worth."""
        exact, best = JudgedPlays(), self.found.best(PLANS_KEPT)
        for at in range(len(best.plays)):
            play, worth = best.plays[at], best.worths[at]
            if CERTAIN_LOSS < worth < CERTAIN_WIN:
                worth = self.turn_worth.worth_of(self._laid_on_table(play), play.cards, True)
            if worth >= 0.0:
                exact.add(play, worth)
        exact = exact.best(PLANS_KEPT)
        return [
            Plan(self._actions_of(exact.plays[at]), exact.worths[at])
            for at in range(len(exact.plays))
        ]

    def _actions_of(self, play: Play) -> list[i64]:
        """The actions of a play that are still to come, to the last card."""
        is_asked = kind_of(self.turn.agenda.top()) == n.TASK_CONTINUE
        found: list[i64] = []
        for step in play.steps()[len(self.turn.laid) :]:
            if is_asked:
                found.append(n.MORE)
            found.append(step)
            is_asked = True
        found.append(n.FINISH)
        return found


def _extended(play: Play, steps: list[i64]) -> Play:
    """A play with more placements."""
    for step in steps:
        play = play.with_card(n.card_in(step), n.place_in(step))
    return play


def _most_promising(plays: list[Play], number: i64) -> list[Play]:
    """The plays with the highest expected gain; among equals, those with fewer jokers."""
    merits: list[i64] = []
    for play in plays:
        jokers: i64 = 0
        for card in play.cards:
            if is_joker(card):
                jokers += 1
        merits.append(4 * play.expected_gain - jokers)
    return best_by_merit(plays, merits, number)


def best_by_merit(plays: list[Play], merits: list[i64], number: i64) -> list[Play]:
    """The `number` plays with the highest merits; among equals, those that came first."""
    size: i64 = len(plays)
    keys = [(1000 - merits[at]) * 1_000_000 + at for at in range(size)]
    keys.sort()
    return [plays[key % 1_000_000] for key in keys[:number]]
