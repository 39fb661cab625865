"""The view of the table: all that a seat or an onlooker may know, without the hidden cards.
`imagine` makes a random state that agrees with a view, for searches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import ONLOOKER_SEAT, Rng
from games.engines.common.agenda import kind_of, subject_of
from games.engines.common.bits import bit, members
from games.engines.common.public_fields import to_ints
from games.engines.duel_of_law import line_ownership, tableau
from games.engines.duel_of_law.action_numbers import (
    TASK_CONTINUE,
    TASK_LAY,
    TASK_QUESTION,
    encode_question,
)
from games.engines.duel_of_law.actions import Card, Column, Direction, Feature, Pattern, Row, Value
from games.engines.duel_of_law.cards import CARD_CODES, card_code, is_joker
from games.engines.duel_of_law.game_logic import DuelState
from games.engines.duel_of_law.game_options import Options
from games.engines.duel_of_law.laws import clause_codes, joker_values
from games.engines.duel_of_law.table_state import ENDING_NAMES, ZONE_PILE, ZONE_TABLE

Axis = Literal["across", "down"]
Ending = Literal["lead", "passes"]
AXIS_NAMES: tuple[Axis, Axis] = ("across", "down")
ORIGIN_OFFSET = 128  # of a place's row and column in the numbering of the rules


@dataclass(frozen=True)
class Laid:
    """A card on the tableau."""

    card: Card
    row: Row
    column: Column


@dataclass(frozen=True)
class Line:
    """Adjacent cards, from the first on."""

    axis: Axis
    row: Row
    column: Column


@dataclass(frozen=True)
class Clause:
    """One part of a law, and the seat whose token was laid for it."""

    seat: int
    feature: Feature
    pattern: Pattern
    value: Value
    direction: Direction


@dataclass(frozen=True)
class Branch:
    """A line of three cards or more, with its law; the last clause shows the owner."""

    axis: Axis
    row: Row
    column: Column
    size: int
    law: tuple[Clause, ...]

    @property
    def owner(self) -> int:
        """The seat whose token is on top."""
        return self.law[-1].seat


@dataclass(frozen=True)
class Open:
    """The values that a joker may still have in one respect."""

    feature: Feature
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Joker:
    """A joker on the tableau, and its values so far; in all other respects it is open."""

    card: Card
    is_now: tuple[Open, ...]


@dataclass(frozen=True)
class Tableau:
    """Everything that lies on the table."""

    cards: tuple[Laid, ...]
    branches: tuple[Branch, ...]  # the oldest first
    jokers: tuple[Joker, ...]


@dataclass(frozen=True)
class Trial:
    """The facts of a turn in progress that only its seat knows."""

    before: Tableau | None  # as the others see it; None: as it is, for nothing was laid
    laid: tuple[Card, ...]  # in this order
    is_laying: bool  # whether the next step is to lay a card
    questions: tuple[Line, ...]  # still to be claimed or left, the next first
    claimed: tuple[Line, ...]
    taken_back: int  # how often


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it; without a seat, as an onlooker does."""

    seat: int | None
    options: Options
    to_act: tuple[int, ...]
    turn: int
    tableau: Tableau
    trial: Trial | None
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    deck: int
    owned: tuple[int, ...]  # by seat: the number of branches
    is_open: bool  # whether a hand has been empty, so that a seat can win
    passes: int  # in succession
    ending: Ending | None
    winners: tuple[int, ...]

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.hand_sizes)


# -- from the state -----------------------------------------------------------------------------


def view(state: DuelState, seat: int | None) -> View:
    """The view of `seat` (None: an onlooker)."""
    is_trying = seat == state.turn and state.to_act != 0
    shown = state.tableau if is_trying else state.before  # R38
    sizes = [int(state.count_in_zone(other)) for other in range(state.seats)]
    if not is_trying:
        sizes[state.turn] += len(state.laid)
    return View(
        seat=seat,
        options=Options(),
        to_act=to_ints(members(state.to_act)),
        turn=int(state.turn),
        tableau=_tableau_view(shown),
        trial=_trial_view(state) if is_trying else None,
        hand=() if seat is None else _card_codes(state.cards_in_zone(seat)),
        hand_sizes=tuple(sizes),
        deck=int(state.count_in_zone(ZONE_PILE)),
        owned=tuple(_owned_branch_count(shown, other) for other in range(state.seats)),
        is_open=state.is_open,
        passes=int(state.passes),
        ending=_ending_name(state),
        winners=to_ints(members(state.winners)),
    )


def _card_codes(cards: Iterable[int]) -> tuple[Card, ...]:
    return tuple(card_code(card) for card in cards)


def _owned_branch_count(shown: tableau.Tableau, seat: int) -> int:
    return sum(branch.owner == seat for branch in shown.branches)


def _ending_name(state: DuelState) -> Ending | None:
    ended: tuple[Ending | None, ...] = (None, "lead", "passes")
    return ended[state.ending]


def _tableau_view(shown: tableau.Tableau) -> Tableau:
    cards = shown.cards()
    return Tableau(
        cards=tuple(Laid(card_code(card), *_coordinates(shown.spots[card])) for card in cards),
        branches=tuple(_branch_view(branch) for branch in shown.branches),
        jokers=tuple(_joker_view(shown.wilds, card) for card in cards if is_joker(card)),
    )


def _coordinates(place: int) -> tuple[int, int]:
    return int(place >> 8) - ORIGIN_OFFSET, int(place & 0xFF) - ORIGIN_OFFSET


def _branch_view(branch: line_ownership.Branch) -> Branch:
    law = (
        _clause_view(clause, seat) for clause, seat in zip(branch.law, branch.tokens, strict=True)
    )
    return Branch(
        AXIS_NAMES[branch.axis], *_coordinates(branch.start), int(branch.size), tuple(law)
    )


def _clause_view(clause: int, seat: int) -> Clause:
    return Clause(
        seat=int(seat),
        feature=clause_codes.FEATURE_NAMES[clause_codes.feature_in(clause)],
        pattern=clause_codes.PATTERN_NAMES[clause_codes.pattern_in(clause)],
        value=clause_codes.VALUE_NAMES[clause_codes.value_in(clause)],
        direction=clause_codes.DIRECTION_NAMES[clause_codes.direction_in(clause)],
    )


def _joker_view(all_wilds: vec[i64], card: int) -> Joker:
    shown = joker_values.remaining_values(all_wilds, card)
    return Joker(
        card_code(card), tuple(Open(name, tuple(values)) for name, values in shown.items())
    )


def _trial_view(state: DuelState) -> Trial:
    questions = [task for task in state.agenda.tasks if kind_of(task) == TASK_QUESTION]
    return Trial(
        before=_tableau_view(state.before) if state.has_trial() else None,
        laid=_card_codes(state.laid),
        is_laying=kind_of(state.agenda.top()) == TASK_LAY,
        questions=tuple(_line_view(subject_of(task)) for task in reversed(questions)),
        claimed=tuple(_line_view(subject) for subject in state.claimed),
        taken_back=int(state.taken_back),
    )


def _line_view(subject: int) -> Line:
    return Line(AXIS_NAMES[subject & 1], *_coordinates(subject >> 1))


# -- back to a state ----------------------------------------------------------------------------


def imagine(seen: View, rng: Rng) -> DuelState:
    """A state that would look like this view, with hidden cards placed at random."""
    state = DuelState()
    state.init_table(seen.seats)
    state.turn = seen.turn
    state.tableau = state.before = tableau_from_view(seen.tableau)
    if seen.to_act:
        state.begin_turn(seen.turn)
    if seen.trial is not None:
        _restore_turn(state, seen.trial)
    state.passes = seen.passes
    state.is_open = seen.is_open
    if seen.ending is not None:
        state.ending = ENDING_NAMES.index(seen.ending)
        state.winners = sum(bit(seat) for seat in seen.winners)
    _place_hidden_cards(state, seen)
    state.determinize(ONLOOKER_SEAT if seen.seat is None else seen.seat, rng)
    state.is_imagined = False  # the seat's own turn is worth long thought
    return state


def tableau_from_view(seen: Tableau) -> tableau.Tableau:
    """The tableau of the rules for one in a view."""
    found = tableau.empty_tableau()
    for laid in seen.cards:
        found.lay(CARD_CODES.index(laid.card), place_code(laid.row, laid.column))
    found.branches = [_branch_from_view(branch) for branch in seen.branches]
    for joker in seen.jokers:
        shown = {one.feature: list(one.values) for one in joker.is_now}
        found.wilds = joker_values.with_remaining_values(
            found.wilds, CARD_CODES.index(joker.card), shown
        )
    return found


def _branch_from_view(seen: Branch) -> line_ownership.Branch:
    law, tokens = vec[i64](map(clause_code, seen.law)), vec[i64](clause.seat for clause in seen.law)
    start = place_code(seen.row, seen.column)
    return line_ownership.Branch(AXIS_NAMES.index(seen.axis), start, seen.size, law, tokens)


def clause_code(seen: Clause) -> int:
    """The number of a clause."""
    return clause_codes.encode_clause(
        clause_codes.FEATURE_NAMES.index(seen.feature),
        clause_codes.PATTERN_NAMES.index(seen.pattern),
        clause_codes.VALUE_NAMES.index(seen.value),
        clause_codes.DIRECTION_NAMES.index(seen.direction),
    )


def place_code(row: int, column: int) -> int:
    """The number of a place from its row and column; the first card lies in 0 and 0."""
    return (row + ORIGIN_OFFSET) << 8 | (column + ORIGIN_OFFSET)


def _restore_turn(state: DuelState, trial: Trial) -> None:
    """Restore the turn in progress."""
    state.taken_back = trial.taken_back
    state.laid = vec[i64](CARD_CODES.index(card) for card in trial.laid)
    state.claimed = vec[i64](_question_code(line) for line in trial.claimed)
    if trial.before is not None:
        state.before = tableau_from_view(trial.before)
    if not trial.is_laying:
        state.agenda.clear()
        for line in reversed(trial.questions):
            state.agenda.push(TASK_QUESTION, state.turn, _question_code(line))
        if not trial.questions:
            state.agenda.push(TASK_CONTINUE, state.turn)


def _question_code(line: Line) -> int:
    return int(encode_question(place_code(line.row, line.column), AXIS_NAMES.index(line.axis)))


def _place_hidden_cards(state: DuelState, seen: View) -> None:
    """Fill each hidden place with some card; the re-deal chooses which."""
    for laid in seen.tableau.cards:
        state.zones[CARD_CODES.index(laid.card)] = ZONE_TABLE
    for card in seen.hand:
        state.zones[CARD_CODES.index(card)] = seen.seat or 0
    hidden = [card for card, zone in enumerate(state.zones) if zone == ZONE_PILE]
    for seat, size in enumerate(seen.hand_sizes):
        for _ in range(size if seat != seen.seat else 0):
            state.zones[hidden.pop()] = seat
