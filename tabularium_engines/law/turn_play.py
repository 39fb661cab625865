"""The actions of a turn: those that the player on turn owes or may take, and those that any player
may take at any time, such as playing a Bill."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.bits import bit, count, has, lowest, members
from tabularium_engines.common.playing_cards import CARD_CODES, card_code, rank_of
from tabularium_engines.law import action_numbers as n
from tabularium_engines.law import bill_combinations, bill_laying, card_moves, effect_chains
from tabularium_engines.law import card_knowledge as knowledge
from tabularium_engines.law.cards import card_codes, is_next_rank
from tabularium_engines.law.table_state import LawTable
from tabularium_engines.law.turn_parts import NOT_BEGUN, TurnProgress

MANY_CARDS: Final[i64] = 1000  # more than any hand
TEN_OF_CLUBS: Final[i64] = CARD_CODES.index("10C")


def begin_turn(state: LawTable, seat: i64) -> None:
    """Begin a turn: the cards owed at its start are settled now."""
    terms = state.parameters[seat]
    state.turn = seat
    state.progress = TurnProgress(terms.takes)
    if state.has_fewest_laws(seat):  # R41
        state.progress.takes += terms.takes_of_fewest
    state.agenda.push(n.TASK_TURN, seat)
    if state.is_recording_news:
        state.add_news("turn", seat, {})


def begin_turn_end(state: LawTable) -> None:
    """Begin the end of the turn, if it has not begun: the duties owed then are settled now."""
    progress = state.progress
    if progress.discards == NOT_BEGUN:
        progress.discards = discards_to_come(state)
        for duty in range(n.DUTY_COUNT):
            if state.parameters[state.turn].duties[duty] != 0:
                progress.duties = progress.duties | bit(duty)


def discards_to_come(state: LawTable) -> i64:
    """The number of cards to discard at the end of the turn, if that is now."""
    terms = state.parameters[state.turn]
    cards = terms.discards
    if state.has_most_laws(state.turn):  # R41
        cards += terms.discards_of_most
    if state.has_fewest_laws(state.turn):
        cards -= terms.spared_of_fewest
    return max(cards, 0)


def discards_due(state: LawTable) -> i64:
    """The number of cards that the player on turn still has to discard."""
    if state.hands[state.turn] == 0:
        return 0
    discards = state.progress.discards
    return discards_to_come(state) if discards == NOT_BEGUN else discards


def is_duty_owed(state: LawTable, duty: i64) -> bool:
    """Whether the player on turn owes this duty and can perform it."""
    seat = state.turn
    progress = state.progress
    cards = state.parameters[seat].duties[duty]  # R66
    if cards == 0 or (progress.discards != NOT_BEGUN and not has(progress.duties, duty)):
        return False
    if duty == n.DUTY_DISCARD_DOWN:
        return count(state.hands[seat]) > cards
    is_pass = duty in (n.DUTY_PASS_LEFT, n.DUTY_PASS_RIGHT)
    return state.hands[seat] != 0 and (is_pass or state.hands[duty_neighbour(state, duty)] != 0)


def duty_neighbour(state: LawTable, duty: i64) -> i64:
    """The neighbour involved in a duty of the player on turn."""
    step: i64 = 1 if duty in (n.DUTY_PASS_LEFT, n.DUTY_SWAP_LEFT) else state.seats - 1
    return (state.turn + step) % state.seats


def perform_duty(state: LawTable, seat: i64, duty: i64) -> None:
    """Perform a duty that a Law imposes at the end of the turn."""
    state.progress.duties &= ~bit(duty)
    cards = state.parameters[seat].duties[duty]
    if duty == n.DUTY_DISCARD_DOWN:
        if state.rulings.counts_excess_late:  # R39: when the piles have been filled
            state.agenda.push(n.TASK_FIRE, seat, n.encode_subject(0, -1, TEN_OF_CLUBS))
        else:
            excess = count(state.hands[seat]) - cards
            state.agenda.push(n.TASK_DISCARD, seat, n.encode_subject(excess))
        return
    is_pass = duty in (n.DUTY_PASS_LEFT, n.DUTY_PASS_RIGHT)
    subject = n.encode_subject(cards, duty_neighbour(state, duty))
    state.agenda.push(n.TASK_PASS if is_pass else n.TASK_SWAP, seat, subject)


def must_steal(state: LawTable) -> bool:
    """Whether the player on turn must still steal before the turn ends."""
    if state.progress.stolen or state.parameters[state.turn].steals == 0:
        return False
    return len(others_with_cards(state)) > 0


def others_with_cards(state: LawTable) -> list[i64]:
    """The players with cards other than the one on turn."""
    return [seat for seat in range(state.seats) if seat != state.turn and state.hands[seat] != 0]


def is_turn_over(state: LawTable) -> bool:
    """Whether everything that the turn asks for has been done."""
    if state.progress.takes > 0 or state.progress.discards == NOT_BEGUN or discards_due(state) > 0:
        return False
    for duty in range(n.DUTY_COUNT):
        if is_duty_owed(state, duty):
            return False
    return not must_steal(state)


# -- owed actions ---------------------------------------------------------------------------------


def usable_piles(state: LawTable, seat: i64) -> list[i64]:
    """The piles from which a player can take or collect; 0 is the draw pile."""
    found: list[i64] = [] if state.piles.is_draw_pile_empty() else [0]
    discarded = state.piles.discarded
    for pile in range(1, min(state.parameters[seat].piles, len(discarded)) + 1):
        if len(discarded[pile - 1]) > 0:
            found.append(pile)
    return found


def duty_actions(state: LawTable, seat: i64) -> list[i64]:
    """The actions that the turn asks for now: taking, duties at its end, or ending it."""
    if state.progress.takes > 0:
        return [n.encode_action(n.TAKE_ONE, pile) for pile in usable_piles(state, seat)]
    found = discard_actions(state, seat) if discards_due(state) > 0 else []
    for duty in range(n.DUTY_COUNT):
        if is_duty_owed(state, duty):
            found.append(n.encode_action(n.ATTEND, duty))
    if len(found) == 0 and not must_steal(state):
        found.append(n.END_TURN)
    return found


def discard_actions(state: LawTable, seat: i64) -> list[i64]:
    """The discards of each card of the hand onto each allowed pile."""
    terms = state.parameters[seat]
    first: i64 = 0 if terms.may_bury else 1
    found: list[i64] = []
    left = state.hands[seat]
    while left != 0:
        card = lowest(left)
        left &= left - 1
        for pile in range(first, terms.piles + 1):
            found.append(n.encode_action(n.DISCARD_ONE, card, pile))
    return found


# -- optional actions of the player on turn --------------------------------------------------------


def add_optional_turn_play(state: LawTable, seat: i64, found: list[i64]) -> None:
    """Add stealing and asking, where Laws allow them."""
    if must_steal(state):
        for other in others_with_cards(state):
            found.append(n.encode_action(n.REVEAL, other))
    if state.progress.asked < state.parameters[seat].asks:
        # R47: judging by the cards in sight, another player might hold these
        cards = members(state.deck & ~(state.hands[seat] | state.cards_in_sight(seat)))
        for other in others_with_cards(state):
            for card in cards:
                found.append(n.encode_action(n.ASK, other, card))


def reveal_hand(state: LawTable, seat: i64, other: i64) -> None:
    """Look at a hand, to steal from it."""
    state.progress.stolen = True
    knowledge.learn(state, bit(seat), state.hands[other])
    secrets = {"cards": card_codes(state.hands[other])}
    state.add_news("revealed", seat, {"of": int(other)}, secrets, bit(seat) | bit(other))
    state.agenda.push(n.TASK_STEAL, seat, n.encode_subject(state.parameters[seat].steals, other))


def ask_for_card(state: LawTable, seat: i64, other: i64, card: i64) -> None:
    """Ask a player for a card, publicly."""
    state.progress.asked += 1
    is_found = has(state.hands[other], card)
    if state.is_recording_news:
        facts = {"of": int(other), "card": card_code(card), "found": is_found}
        state.add_news("asked", seat, facts)
    if is_found:
        card_moves.hand_over(state, other, seat, bit(card), state.all_viewers())


# -- actions of any seat ---------------------------------------------------------------------------


def add_anytime_actions(state: LawTable, seat: i64, found: list[i64]) -> None:
    """Add the actions that a player may take at any time."""
    terms = state.parameters[seat]
    found.extend(bill_combinations.bill_actions(state.hands[seat], terms))
    if terms.trade_cost != 0 and count(state.hands[seat]) >= terms.trade_cost:  # R46
        found.append(n.TRADE)
    if terms.topping != 0 and seat != state.turn:
        add_top_actions(state, seat, found)


def fewest_cards_to_react(state: LawTable, seat: i64) -> i64:
    """The number of cards with which a seat may be able to act out of turn."""
    terms = state.parameters[seat]
    if terms.topping != 0:
        return 1
    fewest = MANY_CARDS
    if terms.trade_cost != 0:
        fewest = terms.trade_cost
    for shape in range(n.BILL_SHAPE_COUNT):
        if not has(terms.banned, shape):
            fewest = min(fewest, terms.bill_size(shape))
    if terms.straight_flush_wins:
        fewest = min(fewest, terms.bill_size(n.SHAPE_STRAIGHT))
    return fewest


def start_trade(state: LawTable, seat: i64) -> None:
    """Discard some cards to draw fewer."""
    cost = state.parameters[seat].trade_cost
    state.agenda.push(n.TASK_DRAW, seat, n.encode_subject(cost // 2))
    state.agenda.push(n.TASK_DISCARD, seat, n.encode_subject(cost))
    state.add_news("traded", seat, {"discards": int(cost), "draws": int(cost // 2)})


def add_top_actions(state: LawTable, seat: i64, found: list[i64]) -> None:
    """Add the plays of the next rank on top of a discard pile."""
    piles = [pile for pile in usable_piles(state, seat) if pile != 0]
    wild = state.parameters[seat].wild_ranks  # R44
    for card in members(state.hands[seat]):
        for pile in piles:
            below = state.piles.discarded[pile - 1][-1]
            if has(wild, card) or is_next_rank(rank_of(card), rank_of(below)):
                found.append(n.encode_action(n.TOP, card, pile))


def play_on_top(state: LawTable, seat: i64, card: i64, pile: i64) -> None:
    """Play a card on top of a discard pile, which does not count as a discard, and draw."""
    card_moves.lay_from_hand(state, "topped", seat, card, pile)
    state.agenda.push(n.TASK_DRAW, seat, n.encode_subject(state.parameters[seat].topping))


# -- applying actions ------------------------------------------------------------------------------


def apply_turn_action(state: LawTable, seat: i64, action: i64, rng: Rng) -> None:
    """Apply an action that a turn asks for, or that is legal at any time."""
    kind, first, second = action & 0xFF, n.first_field(action), n.second_field(action)
    if kind == n.TAKE_ONE:
        take_card(state, seat, first, rng)
    elif kind <= n.END_TURN:
        apply_end_action(state, seat, kind, first, second)
    elif kind == n.REVEAL:
        reveal_hand(state, seat, first)
    elif kind == n.ASK:
        ask_for_card(state, seat, first, second)
    elif kind == n.TRADE:
        start_trade(state, seat)
    elif kind == n.TOP:
        play_on_top(state, seat, first, second)
    else:
        bill_laying.propose_bill(state, seat, kind, first, second)


def apply_end_action(state: LawTable, seat: i64, kind: i64, first: i64, second: i64) -> None:
    """Apply an action owed at the end of a turn; the first one begins that end."""
    begin_turn_end(state)
    if kind == n.DISCARD_ONE:
        state.progress.discards -= 1
        effect_chains.discard_card(state, seat, first, second)
    elif kind == n.ATTEND:
        perform_duty(state, seat, first)


def take_card(state: LawTable, seat: i64, pile: i64, rng: Rng) -> None:
    """Take one of the cards owed at the start of a turn."""
    state.progress.takes -= 1
    if pile == 0:
        effect_chains.draw_cards(state, seat, 1, rng)
        return
    card = state.piles.take_top(pile, rng)
    seen_by = knowledge.viewers_who_know(state, card) | bit(seat)
    card_moves.add_to_hand(state, seat, bit(card), seen_by)
    if state.is_recording_news:
        state.add_card_news("took", seat, {"pile": int(pile)}, card, seen_by)
