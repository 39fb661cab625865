"""The search for an immediate win: a turn that wins at once by laying the whole hand. The first
empty hand opens the end, and a player two branches ahead has then won: one who overlooks that
loses, however many branches they collect."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.duel_of_law import action_numbers as n
from games.engines.duel_of_law.game_end import WINNING_LEAD
from games.engines.duel_of_law.laws.cards_allowed_by_law import card_set, cards_passing
from games.engines.duel_of_law.placement_rules import Gap, TouchedLines, axes_of, is_lawful
from games.engines.duel_of_law.tableau import Tableau

MAX_HAND_TRIED: Final[i64] = 20  # cards in a hand: trying more takes long, and hardly ever wins
NO_STEP: Final[i64] = -1


def lead_after(tableau: Tableau, laid: vec[i64], seat: i64, seats: i64) -> i64:
    """The seat's lead in branches over all other seats if it claimed every line it can."""
    owned = tableau.branch_counts(seats)
    touched = TouchedLines(tableau, laid)
    for number in range(len(touched.lines)):
        for index in tableau.branches_along(touched.lines[number]):
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
    """Placements that lay the whole hand and win, if any are found without backtracking."""
    if len(hand) > MAX_HAND_TRIED:
        return []
    if lead_after(tableau, laid, seat, seats) < WINNING_LEAD - 1:  # the rest gains one line at most
        return []
    for along in axes_of(tableau, laid):
        if can_take_all(tableau, laid, along, hand):
            for end in range(2):
                race = Race(tableau.clone(), laid[:], along)
                is_laid = race.lay_all(hand[:], end == 1)
                if is_laid and lead_after(race.tableau, race.laid, seat, seats) >= WINNING_LEAD:
                    return race.steps
    return []


def can_take_all(tableau: Tableau, laid: vec[i64], axis: i64, hand: list[i64]) -> bool:
    """Whether each card of a hand passes the clauses on single cards along this axis."""
    line = tableau.line(tableau.spots[laid[0]], axis)
    passing, cards = cards_passing(tableau.branch_on(line).law), card_set(vec[i64](hand))
    for word in range(len(cards)):
        if cards[word] & ~passing[word] != 0:
            return False
    return True


class Race:
    """A hand that is laid card by card at the ends of a line, on a tableau of its own."""

    def __init__(self, tableau: Tableau, laid: vec[i64], axis: i64) -> None:
        self.tableau = tableau
        self.laid = laid
        self.axis: i64 = axis
        self.steps: list[i64] = []

    def lay_all(self, hand: list[i64], is_from_the_end: bool) -> bool:
        """Lay one card after the other where it may stay; whether the whole hand may lie there."""
        while len(hand) > 0:
            step = self._next_step(hand, is_from_the_end)
            if step == NO_STEP:
                return False
            hand.remove(n.card_in(step))
            self.tableau.lay(n.card_in(step), n.place_in(step))
            self.laid = append(self.laid, n.card_in(step))
            self.steps.append(step)
        return is_lawful(self.tableau, self.laid)

    def _next_step(self, hand: list[i64], is_from_the_end: bool) -> i64:
        """A card that the lines through an end of the line accept; jokers are rechecked later."""
        start = self.tableau.spots[self.laid[0]]
        places = self.tableau.ends_of_line(start, self.axis)
        if is_from_the_end:
            places.reverse()
        for place in places:
            along = Gap(self.tableau, place, self.axis)
            across = Gap(self.tableau, place, 1 - self.axis)
            for card in hand:
                if across.is_lawful(card) and along.is_lawful(card):  # the short line first
                    return n.encode_place(card, place)
        return NO_STEP
