"""The legal actions of the seat on turn: the list of all, and the check of one."""

from __future__ import annotations

from mypy_extensions import i64

from tabularium_engines.common.agenda import kind_of, subject_of
from tabularium_engines.duel_of_law import action_numbers as n
from tabularium_engines.duel_of_law import placement_rules as rules
from tabularium_engines.duel_of_law.card_zones import ZONE_PILE, CardZones
from tabularium_engines.duel_of_law.laws.claimable_clauses import can_claim, legal_claims
from tabularium_engines.duel_of_law.laws.possible_joker_values import naming_clauses
from tabularium_engines.duel_of_law.turn_in_progress import Turn


def list_legal_actions(turn: Turn, zones: CardZones) -> list[i64]:
    """All legal actions; to find them takes long."""
    task = turn.agenda.top()
    if kind_of(task) == n.TASK_QUESTION:
        return question_answers(turn, subject_of(task))
    if kind_of(task) == n.TASK_CONTINUE:
        return _continuations(turn, zones)
    if len(turn.laid) == 0:
        found: list[i64] = []
        if may_lay_first_card(turn):
            found = rules.first_place_actions(turn.tableau, zones.cards(turn.seat))
        return [*found, action_without_cards(zones)]
    return [*_next_placements(turn, zones), n.TAKE_BACK, *_undo_actions(turn)]


def can_undo(turn: Turn) -> bool:
    """Whether the seat may take back the last card alone."""  # R37
    is_laying = len(turn.laid) > 0 and kind_of(turn.agenda.top()) != n.TASK_QUESTION
    is_allowed = turn.rulings.may_undo and turn.taken_back < turn.rulings.retries
    return is_laying and is_allowed


def _undo_actions(turn: Turn) -> list[i64]:
    return [n.UNDO] if can_undo(turn) else []


def may_lay_first_card(turn: Turn) -> bool:
    """Whether the seat may still begin to lay cards."""  # R37
    return turn.taken_back <= turn.rulings.retries


def action_without_cards(zones: CardZones) -> i64:
    """The action of a turn that lays no cards."""  # R33
    return n.DRAW_SIX if zones.count(ZONE_PILE) > 0 else n.PASS


def may_lay_nothing(turn: Turn, zones: CardZones, action: i64) -> bool:
    """Whether this is the action of a turn that lays no cards, and may be chosen now."""
    is_first = kind_of(turn.agenda.top()) == n.TASK_LAY and len(turn.laid) == 0
    return is_first and action == action_without_cards(zones)


def _next_placements(turn: Turn, zones: CardZones) -> list[i64]:
    """The actions that lay another card."""
    return rules.next_place_actions(turn.tableau, turn.laid, zones.cards(turn.seat))


def _continuations(turn: Turn, zones: CardZones) -> list[i64]:
    """The actions that may continue a turn once a card is laid."""
    found: list[i64] = []
    for joker in rules.jokers_of_turn(turn.tableau, turn.laid):
        namings = naming_clauses(turn.tableau.wilds, joker, is_certain=False)
        found += [n.encode_name(joker, clause) for clause in namings]
    if len(_next_placements(turn, zones)) > 0:
        found.append(n.MORE)
    if rules.is_lawful(turn.tableau, turn.laid):
        found.append(n.FINISH)
    found.append(n.TAKE_BACK)
    return found + _undo_actions(turn)


def question_answers(turn: Turn, subject: i64) -> list[i64]:
    """The answers to the question about a line; the last one takes back."""
    line = turn.line_in_question(subject)
    law = turn.tableau.branch_on(line).law
    tableau = turn.tableau
    clauses = legal_claims(line.cards, law, tableau.wilds, tableau.language)
    found = [n.encode_claim(clause) for clause in clauses]
    if len(law) > 0:
        found.append(n.LEAVE)  # R8
    found.append(n.TAKE_BACK)
    return found


def is_claimable(turn: Turn, clause: i64) -> bool:
    """Whether this clause may be claimed of the line in question; to list all takes long."""
    task = turn.agenda.top()
    if kind_of(task) != n.TASK_QUESTION:
        return False
    line, tableau = turn.line_in_question(subject_of(task)), turn.tableau
    law = tableau.branch_on(line).law
    return can_claim(line.cards, law, clause, tableau.wilds, tableau.language)


def can_place(turn: Turn, zones: CardZones, card: i64, place: i64) -> bool:
    """Whether this card may be laid there next."""
    if kind_of(turn.agenda.top()) != n.TASK_LAY or zones.zone_of[card] != turn.seat:
        return False
    if len(turn.laid) > 0:
        nexts = rules.next_place_actions(turn.tableau, turn.laid, [card])
        return n.encode_place(card, place) in nexts
    return may_lay_first_card(turn) and rules.can_begin(turn.tableau, card, place)


def can_finish(turn: Turn) -> bool:
    """Whether the seat may lay no more cards."""
    is_asked = kind_of(turn.agenda.top()) == n.TASK_CONTINUE
    return is_asked and rules.is_lawful(turn.tableau, turn.laid)
