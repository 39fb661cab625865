"""Turn duties: the actions that the player on turn owes, and the end of the turn."""

from __future__ import annotations

from mypy_extensions import i64

from games.engines.common.bits import bit, count, has
from games.engines.law.action_numbers import (
    ATTEND,
    DISCARD_ONE,
    DUTY_COUNT,
    DUTY_DISCARD_DOWN,
    DUTY_PASS_LEFT,
    DUTY_PASS_RIGHT,
    DUTY_SWAP_LEFT,
    END_TURN,
    TAKE_ONE,
    TASK_DISCARD,
    TASK_PASS,
    TASK_SWAP,
    TASK_TURN,
    encode_action,
    encode_subject,
)
from games.engines.law.card_moves import LawTable
from games.engines.law.table_state import NOT_BEGUN


def begin_turn(table: LawTable, seat: i64) -> None:
    """Begin a turn: the cards owed at its start are settled now."""
    terms = table.parameters[seat]
    table.turn = seat
    table.takes = terms.takes
    if table.has_fewest_laws(seat):  # R41
        table.takes += terms.takes_of_fewest
    table.discards_left = NOT_BEGUN
    table.duties = 0
    table.has_stolen = False
    table.asked = 0
    table.agenda.push(TASK_TURN, seat)
    if table.is_recording_news:
        table.add_news("turn", seat, {})


def begin_turn_end(table: LawTable) -> None:
    """Begin the end of the turn, if it has not begun: the duties owed then are settled now."""
    if table.discards_left == NOT_BEGUN:
        table.duties = duties_to_come(table)
        table.discards_left = discards_to_come(table)


def discards_to_come(table: LawTable) -> i64:
    """The number of cards to discard at the end of the turn, if that is now."""
    terms = table.parameters[table.turn]
    cards = terms.discards
    if table.has_most_laws(table.turn):  # R41
        cards += terms.discards_of_most
    if table.has_fewest_laws(table.turn):
        cards -= terms.spared_of_fewest
    return max(cards, 0)


def duties_to_come(table: LawTable) -> i64:
    """The other duties at the end of the turn, if that is now, as a set."""
    found: i64 = 0
    for duty in range(DUTY_COUNT):
        if table.parameters[table.turn].duties[duty] != 0:
            found |= bit(duty)
    return found


def discards_due(table: LawTable) -> i64:
    """The number of cards that the player on turn still has to discard."""
    if table.hands[table.turn] == 0:
        return 0
    return discards_to_come(table) if table.discards_left == NOT_BEGUN else table.discards_left


def is_duty_owed(table: LawTable, duty: i64) -> bool:
    """Whether the player on turn owes this duty and can perform it."""
    seat = table.turn
    duties = duties_to_come(table) if table.discards_left == NOT_BEGUN else table.duties
    cards = table.parameters[seat].duties[duty]  # R66
    if cards == 0 or not has(duties, duty):
        return False
    if duty == DUTY_DISCARD_DOWN:
        return count(table.hands[seat]) > cards
    if duty in (DUTY_PASS_LEFT, DUTY_PASS_RIGHT):
        return table.hands[seat] != 0
    return table.hands[seat] != 0 and table.hands[duty_neighbour(table, duty)] != 0


def duty_neighbour(table: LawTable, duty: i64) -> i64:
    """The neighbour involved in a duty of the player on turn."""
    if duty in (DUTY_PASS_LEFT, DUTY_SWAP_LEFT):
        return table.left_of(table.turn)
    return table.right_of(table.turn)


def perform_duty(table: LawTable, seat: i64, duty: i64) -> None:
    """Perform a duty that a Law imposes at the end of the turn."""
    begin_turn_end(table)
    table.duties &= ~bit(duty)
    cards = table.parameters[seat].duties[duty]
    if duty == DUTY_DISCARD_DOWN:
        # R39
        table.agenda.push(TASK_DISCARD, seat, encode_subject(count(table.hands[seat]) - cards))
    elif duty in (DUTY_PASS_LEFT, DUTY_PASS_RIGHT):
        table.agenda.push(TASK_PASS, seat, encode_subject(cards, duty_neighbour(table, duty)))
    else:
        table.agenda.push(TASK_SWAP, seat, encode_subject(cards, duty_neighbour(table, duty)))


def is_nothing_owed(table: LawTable) -> bool:
    """Whether nothing is owed at the end of this turn, or nothing any more."""
    if discards_due(table) > 0:
        return False
    for duty in range(DUTY_COUNT):
        if is_duty_owed(table, duty):
            return False
    return True


def must_steal(table: LawTable) -> bool:
    """Whether the player on turn must still steal before the turn ends."""
    if table.has_stolen or table.parameters[table.turn].steals == 0:
        return False
    for seat in range(table.seats):
        if seat != table.turn and table.hands[seat] != 0:
            return True
    return False


def is_turn_over(table: LawTable) -> bool:
    """Whether everything that the turn asks for has been done."""
    has_begun = table.takes == 0 and table.discards_left != NOT_BEGUN
    return has_begun and is_nothing_owed(table) and not must_steal(table)


# -- the actions of a turn ------------------------------------------------------------------------


def usable_piles(table: LawTable, seat: i64) -> list[i64]:
    """The piles from which a player can take or collect; 0 is the draw pile."""
    found: list[i64] = [] if table.is_draw_pile_empty() else [0]
    for pile in range(1, table.parameters[seat].piles + 1):
        if pile <= len(table.discards) and len(table.discards[pile - 1]) > 0:
            found.append(pile)
    return found


def add_duty_actions(table: LawTable, seat: i64, found: list[i64]) -> None:
    """Add the actions that the turn asks for now: taking, duties at its end, or ending it."""
    if table.takes > 0:
        for pile in usable_piles(table, seat):
            found.append(encode_action(TAKE_ONE, pile))
        return
    if discards_due(table) > 0:
        add_discard_actions(table, seat, found)
    for duty in range(DUTY_COUNT):
        if is_duty_owed(table, duty):
            found.append(encode_action(ATTEND, duty))
    if is_nothing_owed(table) and not must_steal(table):
        found.append(END_TURN)


def add_discard_actions(table: LawTable, seat: i64, found: list[i64]) -> None:
    """Add the discards of each card of the hand onto each allowed pile."""
    terms = table.parameters[seat]
    lowest: i64 = 0 if terms.may_bury else 1
    hand = table.hands[seat]
    for card in range(52):
        if has(hand, card):
            for pile in range(lowest, terms.piles + 1):
                found.append(encode_action(DISCARD_ONE, card, pile))
