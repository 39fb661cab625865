"""Pending choices in the middle of an effect: their legal answers, and the effects of an answer.
Sealed choices of several seats take effect together: no seat learns another's before all are in."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng
from tabularium_engines.common.agenda import kind_of, seat_of, subject_of
from tabularium_engines.common.bits import bit, count, has, members
from tabularium_engines.common.playing_cards import card_code
from tabularium_engines.law import action_numbers as n
from tabularium_engines.law import card_knowledge as knowledge
from tabularium_engines.law import card_moves, effect_chains, turn_play
from tabularium_engines.law.bill_laying import lay_card
from tabularium_engines.law.cards import card_codes
from tabularium_engines.law.laws import EVENT_CARDS
from tabularium_engines.law.table_state import LawTable

# -- legal answers --------------------------------------------------------------------------------


def legal_answers(state: LawTable, seat: i64, task: i64) -> list[i64]:
    """All legal answers to the task on top."""
    kind = kind_of(task)
    if kind == n.TASK_COLLECT:
        piles = turn_play.usable_piles(state, seat)
        return [n.encode_action(n.COLLECT_ONE, pile) for pile in piles]
    if kind == n.TASK_DISCARD:
        return turn_play.discard_actions(state, seat)
    if kind in (n.TASK_AIM, n.TASK_FIRST_SEAT, n.TASK_SECOND_SEAT, n.TASK_BIND_WHOM):
        first = n.other_of(subject_of(task))  # -1 unless this is the second of two
        seats = [each for each in range(state.seats) if each != first]
        return [n.encode_action(n.CHOOSE_SEAT, each) for each in seats]
    answer: i64 = n.CHOOSE
    if kind == n.TASK_LAY:
        answer = n.LAY_ONE
    elif kind == n.TASK_ORDER:
        answer = n.APPLY
    elif kind in (n.TASK_REPLACE, n.TASK_BIND, n.TASK_RETURN):
        answer = n.CHOOSE_LAW
    return [n.encode_action(answer, card) for card in members(eligible_cards(state, seat, task))]


def eligible_cards(state: LawTable, seat: i64, task: i64) -> i64:
    """The cards to choose from."""
    kind = kind_of(task)
    if kind == n.TASK_LAY:
        return state.bill.next_cards(state.hands[seat], state.parameters[seat])
    if kind == n.TASK_ORDER:
        return state.chain.waiting_laws[0]
    if is_sealed(kind):
        return offered_cards(state, seat, kind) & ~state.chosen[seat]
    if kind == n.TASK_REPLACE:
        return state.collected_cards()
    if kind == n.TASK_BIND:
        bound = n.card_of(subject_of(task))
        return state.collected_cards() & ~EVENT_CARDS & ~(bit(bound) if bound >= 0 else 0)  # R58
    return state.hands[n.other_of(subject_of(task)) if kind == n.TASK_STEAL else seat]


# -- effects of an answer -------------------------------------------------------------------------


def apply_answer(state: LawTable, seat: i64, chosen: i64, rng: Rng) -> None:
    """Apply an answer; the task on top is then finished, or asked again."""
    task = state.agenda.top()
    kind = kind_of(task)
    card = n.first_field(chosen)
    if is_sealed(kind):
        state.chosen[seat] = state.chosen[seat] | bit(card)
        return
    if kind == n.TASK_LAY:
        lay_card(state, seat, card)
        return
    state.agenda.pop()
    if chosen & 0xFF == n.CHOOSE_SEAT:
        apply_seat_choice(state, seat, task, card)
    elif kind == n.TASK_COLLECT:
        repeat_task(state, seat, task)
        collect_card(state, seat, state.piles.take_top(card, rng), card)
    elif kind == n.TASK_ORDER:
        effect_chains.apply_law(state, seat, card)
    elif kind in (n.TASK_REPLACE, n.TASK_BIND):
        apply_law_choice(state, seat, task, card)
    else:
        apply_card_choice(state, seat, task, card, n.second_field(chosen))


def repeat_task(state: LawTable, seat: i64, task: i64) -> None:
    """Push the same task again, for one card less."""
    subject = subject_of(task)
    if n.number_of(subject) > 1:
        state.agenda.push(kind_of(task), seat, subject - 1)


def apply_card_choice(state: LawTable, seat: i64, task: i64, card: i64, pile: i64) -> None:
    """Apply the choice of a card from a hand."""
    kind, other = kind_of(task), n.other_of(subject_of(task))
    repeat_task(state, seat, task)
    if kind == n.TASK_DISCARD:
        effect_chains.discard_card(state, seat, card, pile)
    elif kind == n.TASK_PASS:
        to = knowledge.transfer_viewers(state, seat, other)
        state.add_card_news("passed", seat, {"to": int(other)}, card, to)
        card_moves.hand_over(state, seat, other, bit(card), 0)
    elif kind == n.TASK_STEAL:
        to = knowledge.transfer_viewers(state, seat, other)
        state.add_card_news("stole", seat, {"from": int(other)}, card, to)
        card_moves.hand_over(state, other, seat, bit(card), 0)
    else:
        state.hands[seat] = state.hands[seat] & ~bit(card)
        collect_card(state, seat, card, -1)  # R55


def collect_card(state: LawTable, seat: i64, card: i64, pile: i64) -> None:
    """Collect a card from a pile, or from the hand (-1)."""
    if state.is_recording_news:
        state.add_news("collected", seat, state.law_facts(seat, card) | {"pile": int(pile)})
    effect_chains.collect_law(state, seat, card)


def apply_seat_choice(state: LawTable, seat: i64, task: i64, other: i64) -> None:
    """Apply the choice of a player."""
    kind, subject = kind_of(task), subject_of(task)
    if kind == n.TASK_AIM:
        make_discard(state, seat, other, n.number_of(subject))
    elif kind == n.TASK_FIRST_SEAT:
        state.agenda.push(n.TASK_SECOND_SEAT, seat, n.encode_subject(0, other))
    elif kind == n.TASK_SECOND_SEAT:
        card_moves.swap_hands(state, seat, n.other_of(subject), other)
    else:
        bind_law(state, seat, n.card_of(subject), other)
        if n.number_of(subject) > 1:  # R58: another Law for the same player
            rest = n.encode_subject(n.number_of(subject) - 1, other, n.card_of(subject))
            state.agenda.push(n.TASK_BIND, seat, rest)


def make_discard(state: LawTable, seat: i64, other: i64, cards: i64) -> None:
    """Make a player discard, as far as the hand goes."""
    cards = min(cards, count(state.hands[other]))  # R30
    state.add_news("aimed", seat, {"at": int(other), "count": int(cards)})
    if cards > 0:
        state.agenda.push(n.TASK_DISCARD, other, n.encode_subject(cards))


def apply_law_choice(state: LawTable, seat: i64, task: i64, law: i64) -> None:
    """Apply the choice of a Law to bind or to replace."""
    if kind_of(task) == n.TASK_BIND:
        number, other = n.number_of(subject_of(task)), n.other_of(subject_of(task))
        if other < 0:
            state.agenda.push(n.TASK_BIND_WHOM, seat, n.encode_subject(number, -1, law))
        else:
            bind_law(state, seat, law, other)
        return
    owner: i64 = 0
    while not has(state.laws[owner], law):
        owner += 1
    card_moves.repeal(state, bit(law))
    card_moves.throw_away(state, bit(law))
    state.add_news("replaced", seat, {"card": card_code(law), "of": int(owner)})
    state.agenda.push(n.TASK_GRANT, owner, n.encode_subject(1))  # R57


def bind_law(state: LawTable, seat: i64, law: i64, other: i64) -> None:
    """Bind a Law to one player from now on."""
    card_moves.unbind(state, bit(law))
    state.bound[other] = state.bound[other] | bit(law)
    if state.is_recording_news:
        state.add_news("bound", seat, state.law_facts(other, law) | {"to": int(other)})


# -- sealed choices -------------------------------------------------------------------------------


def is_sealed(kind: i64) -> bool:
    """Whether several seats answer this kind of task at the same time."""
    return kind in (n.TASK_SWAP, n.TASK_CONTRIBUTE, n.TASK_RETURN)


def offered_cards(state: LawTable, seat: i64, kind: i64) -> i64:
    """The cards from which a seat chooses."""
    return state.laws[seat] if kind == n.TASK_RETURN else state.hands[seat]


def cards_to_choose(state: LawTable, seat: i64, task: i64) -> i64:
    """The number of cards that a seat has to choose."""
    kind = kind_of(task)
    number = n.number_of(subject_of(task))
    if kind != n.TASK_SWAP:
        return min(number, count(offered_cards(state, seat, kind)))
    one, other = seat_of(task), n.other_of(subject_of(task))
    if seat not in (one, other):
        return 0
    return min(number, count(state.hands[one]), count(state.hands[other]))  # R32


def awaited_seats(state: LawTable, task: i64) -> i64:
    """The seats that have a choice and have not made it."""
    waiting: i64 = 0
    for seat in range(state.seats):
        wanted = cards_to_choose(state, seat, task)
        if count(offered_cards(state, seat, kind_of(task))) > wanted > count(state.chosen[seat]):
            waiting |= bit(seat)
    return waiting


def final_choice(state: LawTable, seat: i64, task: i64) -> i64:
    """The cards that a seat has chosen, or all it has if that is not enough to choose from."""
    cards = offered_cards(state, seat, kind_of(task))
    return cards if count(cards) <= cards_to_choose(state, seat, task) else state.chosen[seat]


def apply_choices(state: LawTable, task: i64) -> None:
    """Apply all choices at the same time."""
    choices = [final_choice(state, seat, task) for seat in range(state.seats)]
    state.chosen = vec[i64]([0] * state.seats)
    kind = kind_of(task)
    if kind == n.TASK_SWAP:
        swap_cards(state, seat_of(task), n.other_of(subject_of(task)), choices)
    elif kind == n.TASK_CONTRIBUTE:
        for seat in range(state.seats):
            if choices[seat] != 0:
                contribute_cards(state, seat, choices[seat])
    else:
        return_laws(state, choices)


def swap_cards(state: LawTable, one: i64, other: i64, choices: list[i64]) -> None:
    """Swap cards between two players, unseen by the others unless a hand is open."""
    gave, got = choices[one], choices[other]
    seen_by = knowledge.transfer_viewers(state, one, other)
    if state.is_recording_news and gave != 0:
        facts = {"with": int(other), "count": int(count(gave))}
        secrets = {"gave": card_codes(gave), "got": card_codes(got)}
        state.add_news("swapped", one, facts, secrets, seen_by)
    card_moves.remove_from_hand(state, one, gave, seen_by)
    card_moves.remove_from_hand(state, other, got, seen_by)
    card_moves.add_to_hand(state, one, got, seen_by)
    card_moves.add_to_hand(state, other, gave, seen_by)


def contribute_cards(state: LawTable, seat: i64, cards: i64) -> None:
    """Put a player's cards into the empty draw pile, face down."""
    seen_by = knowledge.transfer_viewers(state, seat, seat)
    secrets = {"cards": card_codes(cards)}
    state.add_news("contributed", seat, {"count": int(count(cards))}, secrets, seen_by)
    card_moves.remove_from_hand(state, seat, cards, seen_by)
    state.piles.rest |= cards
    knowledge.learn(state, seen_by, cards)


def return_laws(state: LawTable, choices: list[i64]) -> None:
    """Return Laws to the draw pile, all together."""
    together: i64 = 0
    for seat in range(state.seats):
        together |= choices[seat]
        if state.is_recording_news and choices[seat] != 0:
            state.add_news("returned", seat, {"laws": card_codes(choices[seat])})
    card_moves.repeal(state, together)
    card_moves.shuffle_in(state, together)
