"""Can a turn win at once, by laying the whole hand? The first empty hand opens the end, and who is
two branches ahead then has won: who overlooks that loses, however many branches they collect."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.duel_of_law.cards import REGULAR
from games.engines.duel_of_law.language.catalogue import WORD_SIZE
from games.engines.duel_of_law.language.extent import passing
from games.engines.duel_of_law.laying import UNDECIDED, Gap, Touched, axis_of, is_lawful
from games.engines.duel_of_law.tableau import Tableau, distinct
from games.engines.duel_of_law.tasks import card_in, place_in, placing

AHEAD: Final[i64] = 2  # branches more than anybody else: that wins
MOST: Final[i64] = 20  # cards in a hand: to try more takes long, and hardly ever wins
NO_STEP: Final[i64] = -1


def lead(tableau: Tableau, laid: vec[i64], seat: i64, seats: i64) -> i64:
    """By how many branches a seat would be ahead of all others if it claimed whatever it can."""
    owned: list[i64] = [0] * seats
    for branch in tableau.branches:
        owned[branch.owner] += 1
    touched = Touched(tableau, laid)
    for number in range(len(touched.lines)):
        for index in tableau.along(touched.lines[number]):
            owned[tableau.branches[index].owner] -= 1
        is_won = touched.is_claimable(number, seat)
        owned[seat if is_won else touched.branches[number].owner] += 1
    best: i64 = 0
    for other in range(seats):
        if other != seat:
            best = max(best, owned[other])
    return owned[seat] - best


def winning_steps(
    tableau: Tableau, laid: vec[i64], hand: list[i64], seat: i64, seats: i64
) -> list[i64]:
    """Placings that lay the whole hand and win, if any are found without turning back."""
    if len(hand) > MOST or lead(tableau, laid, seat, seats) < AHEAD - 1:  # one line more at most
        return []
    axis = axis_of(tableau, laid)
    for along in range(2):
        if axis in (UNDECIDED, along) and may_take(tableau, laid, along, hand):
            for is_from_the_end in range(2):
                race = Race(tableau.clone(), laid[:], along)
                race.lay_all(hand[:], is_from_the_end == 1)
                if race.is_over(hand) and lead(race.tableau, race.laid, seat, seats) >= AHEAD:
                    return race.steps
    return []


def may_take(tableau: Tableau, laid: vec[i64], axis: i64, hand: list[i64]) -> bool:
    """Does each card of a hand pass what is demanded of single cards along this axis?"""
    line = tableau.line(tableau.spots[laid[0]], axis)
    cards = passing(tableau.on(line).law)
    for card in hand:
        if card < REGULAR and (cards[card // WORD_SIZE] >> card % WORD_SIZE) & 1 == 0:
            return False
    return True


class Race:
    """A hand that is laid card by card at the ends of a line, on a tableau of its own."""

    def __init__(self, tableau: Tableau, laid: vec[i64], axis: i64) -> None:
        self.tableau = tableau
        self.laid = laid
        self.axis: i64 = axis
        self.steps: list[i64] = []

    def lay_all(self, hand: list[i64], is_from_the_end: bool) -> None:
        """Lay one card after the other where it may stay, for as long as there is one."""
        while len(hand) > 0:
            step = self._next(hand, is_from_the_end)
            if step == NO_STEP:
                return
            hand.remove(card_in(step))
            self.tableau.lay(card_in(step), place_in(step))
            self.laid = append(self.laid, card_in(step))
            self.steps.append(step)

    def _next(self, hand: list[i64], is_from_the_end: bool) -> i64:
        """A card that the lines through one end of the line take; jokers are asked again later."""
        start = self.tableau.spots[self.laid[0]]
        places = distinct(
            [self.tableau.end(start, self.axis, -1), self.tableau.end(start, self.axis, 1)]
        )
        if is_from_the_end:
            places.reverse()
        for place in places:
            along = Gap(self.tableau, place, self.axis)
            across = Gap(self.tableau, place, 1 - self.axis)
            for card in hand:
                if across.is_lawful(card) and along.is_lawful(card):  # the short line first
                    return placing(card, place)
        return NO_STEP

    def is_over(self, hand: list[i64]) -> bool:
        """Is all of it laid, and may it lie there?"""
        return len(self.steps) == len(hand) and is_lawful(self.tableau, self.laid)
