"""Random actions for playouts: steps of lawful plays of random cards. Random placements are tried
until a play is lawful; no plays are listed."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.agenda import kind_of, subject_of
from tabularium_engines.duel_of_law import action_numbers as n
from tabularium_engines.duel_of_law import legal_actions as legal
from tabularium_engines.duel_of_law.card_zones import CardZones
from tabularium_engines.duel_of_law.placement_rules import is_lawful, next_place_actions
from tabularium_engines.duel_of_law.placement_sites import NEIGHBOUR_STEPS, PlacementSite, PlacePair
from tabularium_engines.duel_of_law.tableau import Tableau
from tabularium_engines.duel_of_law.turn_in_progress import Turn

MAX_RANDOM_TRIES: Final[i64] = 40  # then the player gives up, and draws
RANDOM_DRAW_ODDS: Final[i64] = 12  # one random turn in so many draws, even if cards could be laid
NO_ACTION: Final[i64] = -1


def random_action(turn: Turn, zones: CardZones, rng: Rng) -> i64:
    """A lawful step of a random turn; it draws only if none is found, or now and then by chance."""
    task = turn.agenda.top()
    if kind_of(task) == n.TASK_QUESTION:
        answers = legal.question_answers(turn, subject_of(task))
        return answers[rng.below(max(len(answers) - 1, 1))]  # the last one takes back
    hand = zones.cards(turn.seat)
    if len(turn.laid) > 0:
        return _random_step(turn, hand, kind_of(task) == n.TASK_CONTINUE, rng)
    otherwise = legal.action_without_cards(zones)
    found = NO_ACTION
    if legal.may_lay_first_card(turn) and (otherwise == n.PASS or rng.below(RANDOM_DRAW_ODDS) > 0):
        found = random_opening(turn.tableau, hand, rng)
    return found if found != NO_ACTION else otherwise


def random_opening(tableau: Tableau, hand: list[i64], rng: Rng) -> i64:
    """The first placement of a random lawful play of one or two cards, or NO_ACTION."""
    if len(hand) == 0:
        return NO_ACTION
    border = tableau.border_places()
    for _ in range(MAX_RANDOM_TRIES):
        place = border[rng.below(len(border))]
        one = hand[rng.below(len(hand))]
        if rng.below(2) == 0:
            if PlacementSite(tableau, place, vec[i64]([one])).is_lawful(0):
                return n.encode_place(one, place)
        elif _can_lay_two(tableau, place, one, hand[rng.below(len(hand))], rng):
            return n.encode_place(one, place)
    return NO_ACTION


def _can_lay_two(tableau: Tableau, place: i64, one: i64, two: i64, rng: Rng) -> bool:
    """Whether these cards may lie there and on the next empty place in a random direction."""
    axis, step = rng.below(2), NEIGHBOUR_STEPS[rng.below(2)]
    if one == two:
        return False
    other = tableau.end_place(place, axis, step)
    if step < 0:
        place, other, one, two = other, place, two, one
    first = PlacementSite(tableau, place, vec[i64]([one]))
    second = PlacementSite(tableau, other, vec[i64]([two]))
    if not (first.can_take(1 - axis, 0) and second.can_take(1 - axis, 0)):
        return False
    return PlacePair(first, second, axis).is_lawful(one, two)


def _random_step(turn: Turn, hand: list[i64], may_finish: bool, rng: Rng) -> i64:
    """Another card, if that makes a lawful play; otherwise finish or take back."""
    tableau, laid = turn.tableau, turn.laid
    if may_finish and is_lawful(tableau, laid) and rng.below(2) == 0:
        return n.FINISH
    steps = _lawful_steps(tableau, laid, hand, may_finish)
    return steps[len(steps) - 1] if may_finish else steps[rng.below(len(steps))]


def _lawful_steps(tableau: Tableau, laid: vec[i64], hand: list[i64], may_finish: bool) -> list[i64]:
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
