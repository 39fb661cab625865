"""The certain consequences of an action of Law of the Dice: the laws, cards and turns that follow
without a die, and of a count the points that no hidden card can change."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.base import AnyEngine, NewsItem
from tabularium_engines.common.agenda import kind_of
from tabularium_engines.common.bits import bit, count, members
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.english_text import player_name
from tabularium_engines.common.foresight import CertainFacts, Foresight, gist
from tabularium_engines.common.playing_cards import FULL_DECK, suit_mask
from tabularium_engines.law_of_the_dice import action_numbers as n
from tabularium_engines.law_of_the_dice.game_logic import DiceState
from tabularium_engines.law_of_the_dice.scoring import HANDS_ONLY, LAWS_ONLY, NO_SEAT, Scoring
from tabularium_engines.law_of_the_dice.suit_scoring import seat_after_count

# Which card is drawn, stolen or swapped is left to chance; it decides nothing in the same action.
CERTAIN_NEWS: Final[CertainFacts] = {
    "played": None,
    "enacted": None,
    "numbered": None,
    "drew": (),
    "turn": (),
    "called": None,
    "triggered": ("slot", "card"),
    "fizzled": (),
    "took_discard": ("card",),
    "shifted": ("slot", "number"),
    "swapped_numbers": None,
    "stole": ("from",),
    "swapped": ("with",),
    "discarded": None,
    "declined": None,
    "voted": None,
    "decided": None,
    "exhausted": (),
}
POINTS: Final = "points"
# These change the seat's own tablets, nothing else: most of the offers of a turn.
TABLET_KINDS: Final = (int(n.ENACT), int(n.PUT_NUMBER))


def scores(state: DiceState) -> tuple[int, ...]:
    """The points, of both legs if the first is over."""
    found = [int(points) for points in state.scoring.points]
    for seat in range(len(state.legs.first_points)):
        found[seat] += int(state.legs.first_points[seat])
    return tuple(found)


def consequences(
    engine: AnyEngine, state: DiceState, seat: int, action: int
) -> Consequences | None:
    """The certain consequences of an action."""
    if action & 0xFF == n.DECIDE:
        return consequences_of_count(state, seat, n.field(action, 1))
    if is_last_vote(state, seat):
        return None  # the other votes decide the suit
    if action & 0xFF in TABLET_KINDS and has_own_task_next(state):
        return None
    foresight = Foresight(engine, state, seat, action, CERTAIN_NEWS, count_certain)
    return foresight.consequences(POINTS, player_name)


def has_own_task_next(state: DiceState) -> bool:
    """Whether the seat on turn has its other action or the end of its turn after this one."""
    tasks = state.agenda.tasks
    following = kind_of(tasks[len(tasks) - 2])
    if following == n.TASK_ACT:
        return True
    return following == n.TASK_END_TURN and state.caller == NO_SEAT and not state.is_calm()


def is_last_vote(state: DiceState, seat: i64) -> bool:
    """Whether the votes are opened once this seat has voted."""
    return kind_of(state.agenda.top()) == n.TASK_VOTE and state.to_act == bit(seat)


def count_certain(foresight: Foresight, items: list[NewsItem]) -> int:
    """A discard that a seat has to make may show a hidden card: a seven that takes it is not
    foretold, nor anything else."""
    first = 1 if foresight.action & 0xFF == n.DISCARD_CARD else 0  # this card is chosen
    for index in range(first, len(items) - 1):
        if items[index].kind == "discarded":
            return index + 1
    return len(items) + 1


# -- counts ---------------------------------------------------------------------------------------


def consequences_of_count(state: DiceState, seat: i64, suit: i64) -> Consequences | None:
    """The certain consequences of the count of a suit."""
    fewest, most = [], []
    for other in range(state.seats):
        least, hidden = certain_cards(state, seat, other, suit)
        fewest.append(least)
        most.append(least + hidden)
    changes = [point_of(other, fewest, most) for other in range(state.seats)]
    if all(change is None for change in changes):
        return None
    winners, to_act = end_of_count(state, changes)
    text = gist(seat, winners, changes, POINTS, player_name)
    return Consequences(text, (), to_act, winners, tuple(changes))


def certain_cards(state: DiceState, seat: i64, other: i64, suit: i64) -> tuple[int, int]:
    """The cards of a suit that a count will find for `other` as far as `seat` knows, and how many
    more it may find."""
    deck, variant, wanted = state.deck, state.variant, suit_mask(suit)
    laws = state.tablets.law_cards(other) if variant.counted != HANDS_ONLY else 0
    if variant.counted == LAWS_ONLY:
        return int(count(laws & wanted)), 0
    if other == seat:
        return int(count((laws | deck.hands[seat]) & wanted)), 0
    known = deck.hands[other] & deck.known_cards[seat]
    unseen = FULL_DECK & ~(state.visible_cards() | deck.hands[seat] | deck.known_cards[seat])
    hidden = min(count(deck.hands[other]) - count(known), count(unseen & wanted))
    return int(count((laws | known) & wanted)), int(hidden)


def point_of(seat: int, fewest: list[int], most: list[int]) -> int | None:
    """The point that a seat gets in a count, within these bounds; None if it is not certain."""
    others = [other for other in range(len(fewest)) if other != seat]
    if fewest[seat] > 0 and all(fewest[seat] >= most[other] for other in others):
        return 1
    if most[seat] == 0 or any(most[seat] < fewest[other] for other in others):
        return 0  # R21
    return None


def end_of_count(
    state: DiceState, changes: list[int | None]
) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """The winners after a count, if it is certain to end the game; otherwise the seat on turn."""
    if None in changes:
        return None, None
    points = vec[i64]()
    for other in range(len(changes)):
        points = append(points, state.scoring.points[other] + (changes[other] or 0))
    scoring = Scoring(points)
    scoring.counts = state.scoring.counts + 1
    if scoring.ends_leg(state.variant.points_to_win):
        return end_of_leg(state, scoring)
    scorers: i64 = 0
    for other in range(len(changes)):
        if changes[other] == 1:
            scorers |= bit(other)
    following = seat_after_count(state, scorers, state.caller, True)
    return None, (int(following),)


def end_of_leg(
    state: DiceState, scoring: Scoring
) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """The winners, if this leg is the last; otherwise the seat that begins the next one."""
    if state.legs.leg < state.variant.leg_count(state.seats):
        return None, (int(state.legs.next_opener(state.seats)),)
    final = state.clone()
    final.scoring = scoring
    final.to_act = 0
    return tuple([int(winner) for winner in members(final.winning_seats())]), ()
