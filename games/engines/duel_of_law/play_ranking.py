"""The ranking of plays: those that gain the most branches, and the clauses that leave other seats
the least room to steal them."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.engines.common.bits import bit, count
from games.engines.duel_of_law import action_numbers as n
from games.engines.duel_of_law.law_openness import law_openness
from games.engines.duel_of_law.laws import clause_codes as codes
from games.engines.duel_of_law.laws.cards_allowed_by_law import cards_passing
from games.engines.duel_of_law.placement_rules import TouchedLines, is_lawful, next_place_actions
from games.engines.duel_of_law.play_generator import Play, PlayGenerator, branch_gain
from games.engines.duel_of_law.tableau import NO_PLACE, Tableau

UNLAWFUL_GAIN: Final[i64] = -1
BEAM_WIDTH: Final[i64] = 16  # plays that are followed up
MAX_PLAY_CARDS: Final[i64] = 7
MAX_PROMISING_ANSWERS: Final[i64] = 1  # clauses considered: where the cards lie is decisive
# patterns that many cards can continue
_LOOSE_PATTERNS: Final[i64] = bit(codes.RISES) | bit(codes.FALLS) | codes.RETURNING_PATTERNS


def gain_of(tableau: Tableau, laid: vec[i64], seat: i64) -> i64:
    """The gain for a seat that claims all it can; UNLAWFUL_GAIN if the cards may not stay."""
    touched = TouchedLines(tableau, laid)
    if not touched.is_lawful():
        return UNLAWFUL_GAIN
    found: i64 = 0
    for index in range(len(touched.lines)):
        gain = branch_gain(touched.branches[index], seat)
        if gain > 0 and touched.is_claimable(index, seat):
            found += gain
    return found


class Trial:
    """A play in progress on a tableau of its own, and its gain if it ends now."""

    def __init__(self, tableau: Tableau, cards: vec[i64], seat: i64) -> None:
        self.tableau = tableau
        self.cards = cards
        self.seat: i64 = seat
        self.gain: i64 = gain_of(tableau, cards, seat)

    def gain_after(self, step: i64) -> i64:
        """The gain with one more card."""
        self.tableau.lay(n.card_in(step), n.place_in(step))
        found = gain_of(self.tableau, append(self.cards[:], n.card_in(step)), self.seat)
        self.tableau.lift(n.card_in(step))
        return found

    def continuations(self, hand: list[i64]) -> list[i64]:
        """The ways to go on with cards that have not been laid."""
        rest = [card for card in hand if self.tableau.spots[card] == NO_PLACE]
        return next_place_actions(self.tableau, self.cards, rest)


def best_gain(trial: Trial, hand: list[i64]) -> i64:
    """The most that one more card can bring; UNLAWFUL_GAIN if none can be laid lawfully."""
    return _highest([trial.gain_after(step) for step in trial.continuations(hand)])


def _highest(gains: list[i64]) -> i64:
    """The highest gain, or UNLAWFUL_GAIN."""
    best = UNLAWFUL_GAIN
    for gain in gains:
        best = max(best, gain)
    return best


def start_trial(tableau: Tableau, play: Play, seat: i64) -> Trial:
    """A play as laid on a copy of the tableau."""
    return Trial(play.laid_on(tableau), play.cards, seat)


def promising_openings(tableau: Tableau, hand: list[i64], seat: i64) -> list[i64]:
    """The first steps of the plays with the highest gain, the best of them first."""
    return _first_steps(best_plays(tableau, hand, seat))


def quick_openings(tableau: Tableau, hand: list[i64], seat: i64) -> list[i64]:
    """The same for plays of one card, which are found at once, ranked by the expected gain of their
    lines instead of by counting branches."""
    plays = PlayGenerator(tableau, hand, seat).one_card_plays()
    return _first_steps(best_by_merit(plays, [play.expected_gain for play in plays], BEAM_WIDTH))


def _first_steps(plays: list[Play]) -> list[i64]:
    """The first steps of plays, each once."""
    found: list[i64] = []
    for play in plays:
        step = play.steps()[0]
        if step not in found:
            found.append(step)
    return found


def best_plays(tableau: Tableau, hand: list[i64], seat: i64) -> list[Play]:
    """The plays of one or two cards that look best, and longer ones that grow out of them."""
    plays = PlayGenerator(tableau, hand, seat).one_and_two_card_plays()
    plays = best_by_merit(plays, [play.expected_gain for play in plays], 3 * BEAM_WIDTH)
    gains = [start_trial(tableau, play, seat).gain for play in plays]
    plays = best_by_merit(plays, gains, BEAM_WIDTH)
    return long_plays(tableau, plays, hand, seat) + plays


def long_plays(tableau: Tableau, plays: list[Play], hand: list[i64], seat: i64) -> list[Play]:
    """For each number of cards from three on, the best play that a beam search finds."""
    found: list[Play] = []
    beam = [play for play in plays if len(play.cards) == 2]
    while len(beam) > 0 and len(beam[0].cards) < MAX_PLAY_CARDS:
        longer: list[Play] = []
        merits: list[i64] = []
        for play in beam:
            trial = start_trial(tableau, play, seat)
            for step in trial.continuations(hand):
                merit = trial.gain_after(step)
                if merit >= 0:
                    longer.append(play.with_card(n.card_in(step), n.place_in(step)))
                    merits.append(merit)
        beam = best_by_merit(longer, merits, BEAM_WIDTH // 4)
        if len(beam) > 0:
            found.append(beam[0])
    return found


def best_by_merit(plays: list[Play], merits: list[i64], number: i64) -> list[Play]:
    """The `number` plays with the highest merits; among equals, those that came first."""
    size: i64 = len(plays)
    keys = [(1000 - merits[at]) * 1_000_000 + at for at in range(size)]
    keys.sort()
    return [plays[key % 1_000_000] for key in keys[:number]]


def lawful_steps(tableau: Tableau, laid: vec[i64], hand: list[i64], may_finish: bool) -> list[i64]:
    """The steps after laying cards: only placements that may stay, or else taking back."""
    found: list[i64] = []
    for step in next_place_actions(tableau, laid, hand):
        trial = tableau.clone()
        trial.lay(n.card_in(step), n.place_in(step))
        if is_lawful(trial, append(laid[:], n.card_in(step))):
            found.append(step)
    if may_finish:
        is_more = len(found) > 0
        found = [n.FINISH] if is_lawful(tableau, laid) else []
        if is_more:
            found.append(n.MORE)
    return found if len(found) > 0 else [n.TAKE_BACK]


def promising_steps(trial: Trial, hand: list[i64], may_finish: bool) -> list[i64]:
    """The steps after laying cards: another card for as long as it gains more."""
    steps = trial.continuations(hand)
    gains = [trial.gain_after(step) for step in steps]
    best = _highest(gains)
    if may_finish:
        if best > trial.gain:
            return [n.MORE]
        return [n.FINISH] if trial.gain >= 0 else [n.TAKE_BACK]
    if best < 0:
        return [n.TAKE_BACK]
    return [steps[at] for at in range(len(steps)) if gains[at] == best]


def promising_answers(law: vec[i64], answers: list[i64]) -> list[i64]:
    """Of the clauses that may be claimed, those that leave the fewest cards to go on with."""
    keys: list[i64] = []
    for answer in answers:
        if answer & 0xFF == n.CLAIM:
            clause = n.clause_in(answer)
            keys.append(openness(append(law[:], clause)) << 30 | clause)
    keys.sort()
    chosen = [n.encode_claim(key & (bit(30) - 1)) for key in keys[:MAX_PROMISING_ANSWERS]]
    return chosen if len(chosen) > 0 else answers


def closest_answers(law: vec[i64], answers: list[i64]) -> list[i64]:
    """Of the clauses that may be claimed, the one that leaves the smallest share of the deck to go
    on with, as measured."""
    best: i64 = -1
    least = 2.0
    for answer in answers:
        if answer & 0xFF == n.CLAIM:
            share = law_openness(append(law[:], n.clause_in(answer)))
            if share < least:
                best, least = answer, share
    return [best] if best >= 0 else answers


def openness(law: vec[i64]) -> i64:
    """The approximate number of cards of the deck that could lengthen a line of this law."""
    cards = cards_passing(law)
    found = count(cards[0]) + count(cards[1]) + count(cards[2])
    for clause in law:
        pattern = codes.pattern_in(clause)
        if pattern != codes.IS:
            found = found // 2 if bit(pattern) & _LOOSE_PATTERNS != 0 else found // 12
    return found
