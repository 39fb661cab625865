"""Turn duties: the actions that the player on turn owes, and the end of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

from games.engines.common.bits import bit, count, has
from games.engines.law import action_numbers as n

if TYPE_CHECKING:
    from games.engines.law.table_state import LawState

NOT_BEGUN: Final[i64] = -1


class TurnProgress:
    """What the player on turn still owes, and what they have done that cannot be repeated."""

    def __init__(self) -> None:
        self.takes: i64 = 0  # cards still to be taken at the start of the turn
        self.discards: i64 = NOT_BEGUN  # cards still to be discarded at its end
        self.duties: i64 = 0  # other duties left at its end, a set
        self.stolen: bool = False
        self.asked: i64 = 0

    def clone(self) -> TurnProgress:
        """An independent copy."""
        copy = TurnProgress()
        copy.takes = self.takes
        copy.discards = self.discards
        copy.duties = self.duties
        copy.stolen = self.stolen
        copy.asked = self.asked
        return copy

    def contents(self) -> list[i64]:
        """The turn as plain numbers."""
        return [self.takes, self.discards, self.duties, int(self.stolen), self.asked]


def begin_turn(state: LawState, seat: i64) -> None:
    """Begin a turn: the cards owed at its start are settled now."""
    terms = state.parameters[seat]
    state.turn = seat
    state.progress = TurnProgress()
    state.progress.takes = terms.takes
    if state.has_fewest_laws(seat):  # R41
        state.progress.takes += terms.takes_of_fewest
    state.agenda.push(n.TASK_TURN, seat)
    if state.is_recording_news:
        state.add_news("turn", seat, {})


def begin_turn_end(state: LawState) -> None:
    """Begin the end of the turn, if it has not begun: the duties owed then are settled now."""
    if state.progress.discards == NOT_BEGUN:
        state.progress.duties = duties_to_come(state)
        state.progress.discards = discards_to_come(state)


def discards_to_come(state: LawState) -> i64:
    """The number of cards to discard at the end of the turn, if that is now."""
    terms = state.parameters[state.turn]
    cards = terms.discards
    if state.has_most_laws(state.turn):  # R41
        cards += terms.discards_of_most
    if state.has_fewest_laws(state.turn):
        cards -= terms.spared_of_fewest
    return max(cards, 0)


def duties_to_come(state: LawState) -> i64:
    """The other duties at the end of the turn, if that is now, as a set."""
    found: i64 = 0
    for duty in range(n.DUTY_COUNT):
        if state.parameters[state.turn].duties[duty] != 0:
            found |= bit(duty)
    return found


def discards_due(state: LawState) -> i64:
    """The number of cards that the player on turn still has to discard."""
    if state.hands[state.turn] == 0:
        return 0
    discards = state.progress.discards
    return discards_to_come(state) if discards == NOT_BEGUN else discards


def is_duty_owed(state: LawState, duty: i64) -> bool:
    """Whether the player on turn owes this duty and can perform it."""
    seat = state.turn
    progress = state.progress
    duties = duties_to_come(state) if progress.discards == NOT_BEGUN else progress.duties
    cards = state.parameters[seat].duties[duty]  # R66
    if cards == 0 or not has(duties, duty):
        return False
    if duty == n.DUTY_DISCARD_DOWN:
        return count(state.hands[seat]) > cards
    if duty in (n.DUTY_PASS_LEFT, n.DUTY_PASS_RIGHT):
        return state.hands[seat] != 0
    return state.hands[seat] != 0 and state.hands[duty_neighbour(state, duty)] != 0


def duty_neighbour(state: LawState, duty: i64) -> i64:
    """The neighbour involved in a duty of the player on turn."""
    is_left = duty in (n.DUTY_PASS_LEFT, n.DUTY_SWAP_LEFT)
    return (state.turn + (1 if is_left else state.seats - 1)) % state.seats


def perform_duty(state: LawState, seat: i64, duty: i64) -> None:
    """Perform a duty that a Law imposes at the end of the turn."""
    begin_turn_end(state)
    state.progress.duties &= ~bit(duty)
    cards = state.parameters[seat].duties[duty]
    if duty == n.DUTY_DISCARD_DOWN:
        # R39
        state.agenda.push(n.TASK_DISCARD, seat, n.encode_subject(count(state.hands[seat]) - cards))
        return
    is_pass = duty in (n.DUTY_PASS_LEFT, n.DUTY_PASS_RIGHT)
    subject = n.encode_subject(cards, duty_neighbour(state, duty))
    state.agenda.push(n.TASK_PASS if is_pass else n.TASK_SWAP, seat, subject)


def is_nothing_owed(state: LawState) -> bool:
    """Whether nothing is owed at the end of this turn, or nothing any more."""
    if discards_due(state) > 0:
        return False
    for duty in range(n.DUTY_COUNT):
        if is_duty_owed(state, duty):
            return False
    return True


def must_steal(state: LawState) -> bool:
    """Whether the player on turn must still steal before the turn ends."""
    if state.progress.stolen or state.parameters[state.turn].steals == 0:
        return False
    for seat in range(state.seats):
        if seat != state.turn and state.hands[seat] != 0:
            return True
    return False


def is_turn_over(state: LawState) -> bool:
    """Whether everything that the turn asks for has been done."""
    has_begun = state.progress.takes == 0 and state.progress.discards != NOT_BEGUN
    return has_begun and is_nothing_owed(state) and not must_steal(state)


# -- the actions of a turn ------------------------------------------------------------------------


def usable_piles(state: LawState, seat: i64) -> list[i64]:
    """The piles from which a player can take or collect; 0 is the draw pile."""
    found: list[i64] = [] if state.piles.is_draw_pile_empty() else [0]
    for pile in range(1, state.parameters[seat].piles + 1):
        if state.piles.has_discards(pile):
            found.append(pile)
    return found


def add_duty_actions(state: LawState, seat: i64, found: list[i64]) -> None:
    """Add the actions that the turn asks for now: taking, duties at its end, or ending it."""
    if state.progress.takes > 0:
        for pile in usable_piles(state, seat):
            found.append(n.encode_action(n.TAKE_ONE, pile))
        return
    if discards_due(state) > 0:
        add_discard_actions(state, seat, found)
    for duty in range(n.DUTY_COUNT):
        if is_duty_owed(state, duty):
            found.append(n.encode_action(n.ATTEND, duty))
    if is_nothing_owed(state) and not must_steal(state):
        found.append(n.END_TURN)


def add_discard_actions(state: LawState, seat: i64, found: list[i64]) -> None:
    """Add the discards of each card of the hand onto each allowed pile."""
    terms = state.parameters[seat]
    lowest: i64 = 0 if terms.may_bury else 1
    hand = state.hands[seat]
    for card in range(52):
        if has(hand, card):
            for pile in range(lowest, terms.piles + 1):
                found.append(n.encode_action(n.DISCARD_ONE, card, pile))
