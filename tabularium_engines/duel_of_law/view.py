"""The view of the table: all that a seat or an onlooker may know, without the hidden cards.
`imagine` makes a random state that agrees with a view, for searches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import ONLOOKER_SEAT, Rng
from tabularium_engines.common.agenda import kind_of, subject_of
from tabularium_engines.common.bits import members
from tabularium_engines.common.public_fields import PublicFields, to_ints
from tabularium_engines.duel_of_law import action_numbers as n
from tabularium_engines.duel_of_law import tableau
from tabularium_engines.duel_of_law.actions import (
    Card,
    Column,
    Direction,
    Feature,
    Pattern,
    Row,
    SecondPattern,
    SecondValue,
    Value,
)
from tabularium_engines.duel_of_law.card_zones import ZONE_PILE, ZONE_TABLE, CardZones
from tabularium_engines.duel_of_law.cards import CARD_CODES, card_code, is_joker
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.game_options import Options, SecondOptions
from tabularium_engines.duel_of_law.laws import clause_codes, possible_joker_values
from tabularium_engines.duel_of_law.laws.law_language import FIRST_LANGUAGE, Language
from tabularium_engines.duel_of_law.rulings import FIRST_RULINGS, Rulings
from tabularium_engines.duel_of_law.turn_in_progress import NO_SEAT, Turn

Axis = Literal["across", "down"]
Ending = Literal["lead", "passes"]
AXIS_NAMES: tuple[Axis, Axis] = ("across", "down")  # by the axis of the rules


@dataclass(frozen=True)
class Laid:
    """A card on the tableau."""

    card: Card  #: the card
    row: Row  #: the row; the first card lies in row 0
    column: Column  #: the column; the first card lies in column 0


@dataclass(frozen=True)
class Line:
    """Adjacent cards, from the first on."""

    axis: Axis  #: whether it is a row or a column
    row: Row  #: the row; the first card lies in row 0
    column: Column  #: the column; the first card lies in column 0


@dataclass(frozen=True)
class Clause:
    """One part of a law, and the seat whose token was laid for it."""

    seat: int  #: whose token was laid for it
    feature: Feature  #: the feature of the cards
    pattern: Pattern  #: the pattern that it follows
    value: Value  #: the value of the pattern; empty if it needs none
    direction: Direction  #: the direction in which the line is read


@dataclass(frozen=True)
class Branch:
    """A line of three cards or more, with its law; the last clause shows the owner."""

    axis: Axis  #: whether it is a row or a column
    row: Row  #: the row; the first card lies in row 0
    column: Column  #: the column; the first card lies in column 0
    size: int  #: the number of its cards
    law: tuple[Clause, ...]  #: the clauses of its law, the oldest first

    @property
    def owner(self) -> int:
        """The seat whose token is on top."""
        return self.law[-1].seat


@dataclass(frozen=True)
class Open:
    """The values that a joker may still have in one respect."""

    feature: Feature  #: the feature
    values: tuple[Value, ...]  #: the values that are left


@dataclass(frozen=True)
class Joker:
    """A joker on the tableau, and its values so far; in all other respects it is open."""

    card: Card  #: the joker
    is_now: tuple[Open, ...]  #: the features that are no longer open


@dataclass(frozen=True)
class Tableau:
    """Everything that lies on the table."""

    cards: tuple[Laid, ...]  #: the cards on the table
    branches: tuple[Branch, ...]  #: the oldest first
    jokers: tuple[Joker, ...]  #: the jokers among them


@dataclass(frozen=True)
class Trial:
    """The facts of a turn in progress that only its seat knows."""

    before: Tableau | None  #: as the others see it; None: as it is, for nothing was laid
    laid: tuple[Card, ...]  #: in this order
    is_laying: bool  #: whether the next step is to lay a card
    questions: tuple[Line, ...]  #: still to be claimed or left, the next first
    claimed: tuple[Line, ...]  #: the lines that were claimed
    taken_back: int  #: how often


@dataclass(frozen=True)
class LastTurn:
    """The last turn that laid cards: its seat, those cards, and the lines whose branches it took
    over, in this order."""

    seat: int  #: who laid them
    laid: tuple[Card, ...]  #: the cards, in this order
    stolen: tuple[Line, ...]  #: the lines whose branches were taken over


@dataclass(frozen=True)
class View:
    """The table as `seat` sees it; without a seat, as an onlooker does."""

    seat: int | None  #: the viewer's seat; null: an onlooker
    options: Options
    to_act: tuple[int, ...]  #: the seats that must act; empty when the game is over
    turn: int  #: the seat on turn
    tableau: Tableau
    trial: Trial | None  #: the turn in progress, as its own seat sees it; null for others
    hand: tuple[Card, ...]  #: the viewer's cards; empty for an onlooker
    hand_sizes: tuple[int, ...]  #: by seat: the number of cards in hand
    deck: int  #: the number of cards in the deck
    owned: tuple[int, ...]  #: by seat: the number of branches
    is_open: bool  #: whether a hand has been empty, so that a seat can win
    passes: int  #: in succession
    ending: Ending | None  #: how the game ended; null before the end
    winners: tuple[int, ...]  #: the seats that win; empty before the end

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.hand_sizes)


PUBLIC_FIELDS = PublicFields(View)


# -- under version 2, which says more -------------------------------------------------------------


@dataclass(frozen=True)
class SecondClause(Clause):
    """One part of a law, and the seat whose token was laid for it."""

    pattern: SecondPattern  #: the pattern that it follows
    value: SecondValue  #: the value of the pattern; empty if it needs none


@dataclass(frozen=True)
class SecondBranch(Branch):
    """A line of three cards or more, with its law; the last clause shows the owner."""

    law: tuple[SecondClause, ...]  #: the clauses of its law, the oldest first


@dataclass(frozen=True)
class SecondTableau(Tableau):
    """Everything that lies on the table."""

    branches: tuple[SecondBranch, ...]  #: the branches, the oldest first


@dataclass(frozen=True)
class SecondTrial(Trial):
    """The facts of a turn in progress that only its seat knows."""

    before: SecondTableau | None  #: the tableau as the others see it; null: as it is


@dataclass(frozen=True)
class SecondView(View):
    """The same under version 2, with its options and the last turn."""

    options: SecondOptions
    tableau: SecondTableau
    trial: SecondTrial | None  #: the turn in progress, as its own seat sees it; null for others
    last_turn: LastTurn | None  #: the last turn that laid cards; null before the first


# -- from the state -----------------------------------------------------------------------------


def second_view(state: DuelState, seat: int | None) -> SecondView:
    """The view of `seat` (None: an onlooker) under version 2."""
    seen = {**vars(view(state, seat)), "options": options_of(state.turn.rulings)}
    return SecondView(**seen, last_turn=_last_turn_view(state.turn))


def options_of(rulings: Rulings) -> SecondOptions:
    """The options of a table that plays by these rulings."""
    end: Literal["next_turn", "at_once"] = "at_once" if rulings.opens_at_once else "next_turn"
    return SecondOptions(end, "listed" if rulings.lists_laws else "said")


def rulings_of(options: Options) -> Rulings:
    """The rulings of a table with these options."""
    if isinstance(options, SecondOptions):
        return Rulings(2, options.end == "at_once", options.laws == "listed")
    return FIRST_RULINGS


def view(state: DuelState, seat: int | None) -> View:
    """The view of `seat` (None: an onlooker)."""
    turn, zones = state.turn, state.zones
    is_trying = seat == turn.seat and state.to_act != 0
    shown = turn.tableau if is_trying else turn.before  # R38
    sizes = [int(zones.count(other)) for other in range(state.seats)]
    if not is_trying:
        sizes[turn.seat] += len(turn.laid)
    return View(
        seat=seat,
        options=Options(),
        to_act=to_ints(members(state.to_act)),
        turn=int(turn.seat),
        tableau=_tableau_view(shown),
        trial=_trial_view(turn) if is_trying else None,
        hand=() if seat is None else _card_codes(zones.cards(seat)),
        hand_sizes=tuple(sizes),
        deck=int(zones.count(ZONE_PILE)),
        owned=to_ints(shown.branch_counts(state.seats)),
        **PUBLIC_FIELDS.show(state.end),
    )


def _card_codes(cards: Iterable[int]) -> tuple[Card, ...]:
    return tuple(card_code(card) for card in cards)


def _tableau_view(shown: tableau.Tableau) -> Tableau:
    cards = shown.cards()
    spots = ((card_code(card), tableau.coordinates(shown.spots[card])) for card in cards)
    is_second = shown.language.is_narrow
    shape: type[Any] = SecondTableau if is_second else Tableau
    seen: Tableau = shape(
        cards=tuple(Laid(card, *spot) for card, spot in spots),
        branches=tuple(_branch_view(branch, is_second) for branch in shown.branches),
        jokers=tuple(_joker_view(shown.wilds, card) for card in cards if is_joker(card)),
    )
    return seen


def _branch_view(branch: tableau.Branch, is_second: bool) -> Branch:
    law = zip(branch.tokens, branch.law, strict=True)
    said = [(int(seat), clause_codes.clause_fields(clause)) for seat, clause in law]
    shape: type[Any] = SecondBranch if is_second else Branch
    part = SecondClause if is_second else Clause
    seen: Branch = shape(
        AXIS_NAMES[branch.axis],
        *tableau.coordinates(branch.start),
        size=int(branch.size),
        law=tuple(part(seat, **clause) for seat, clause in said),
    )
    return seen


def _joker_view(wilds: vec[i64], card: int) -> Joker:
    shown = possible_joker_values.remaining_values(wilds, card).items()
    return Joker(card_code(card), tuple(Open(name, tuple(values)) for name, values in shown))


def _trial_view(turn: Turn) -> Trial:
    tasks = turn.agenda.tasks
    questions = [subject_of(task) for task in tasks if kind_of(task) == n.TASK_QUESTION]
    shape: type[Any] = SecondTrial if turn.rulings.language.is_narrow else Trial
    seen: Trial = shape(
        before=_tableau_view(turn.before) if turn.has_trial() else None,
        laid=_card_codes(turn.laid),
        is_laying=kind_of(turn.agenda.top()) == n.TASK_LAY,
        questions=tuple(_line_view(subject) for subject in reversed(questions)),
        claimed=tuple(_line_view(subject) for subject in turn.claimed),
        taken_back=int(turn.taken_back),
    )
    return seen


def _last_turn_view(turn: Turn) -> LastTurn | None:
    if turn.last_seat == NO_SEAT:
        return None
    stolen = tuple(_line_view(subject) for subject in turn.last_stolen)
    return LastTurn(int(turn.last_seat), _card_codes(turn.last_laid), stolen)


def _line_view(subject: int) -> Line:
    return Line(AXIS_NAMES[subject & 1], *tableau.coordinates(subject >> 1))


# -- back to a state ----------------------------------------------------------------------------


def imagine(seen: View, rng: Rng) -> DuelState:
    """A state that would look like this view, with hidden cards placed at random."""
    state = DuelState()
    rulings = rulings_of(seen.options)
    state.init_table(seen.seats, rulings)
    state.turn.seat = seen.turn
    shown = tableau_from_view(seen.tableau, rulings.language)
    state.turn.tableau = state.turn.before = shown
    if seen.to_act:
        state.begin_turn(seen.turn)
    if seen.trial is not None:
        _restore_turn(state.turn, seen.trial)
    if isinstance(seen, SecondView) and seen.last_turn is not None:
        _restore_last_turn(state.turn, seen.last_turn)
    PUBLIC_FIELDS.restore(state.end, seen)
    _place_hidden_cards(state.zones, seen)
    state.determinize(ONLOOKER_SEAT if seen.seat is None else seen.seat, rng)
    return state


def tableau_from_view(seen: Tableau, language: Language = FIRST_LANGUAGE) -> tableau.Tableau:
    """The tableau of the rules for one in a view."""
    found = tableau.empty_tableau(language)
    for laid in seen.cards:
        found.lay(CARD_CODES.index(laid.card), tableau.place_at(laid.row, laid.column))
    found.branches = [_branch_from_view(branch) for branch in seen.branches]
    for joker in seen.jokers:
        card = CARD_CODES.index(joker.card)
        shown = {one.feature: one.values for one in joker.is_now}
        found.wilds = possible_joker_values.with_remaining_values(found.wilds, card, shown)
    return found


def line_from_view(seen: Tableau, line: Line) -> tableau.Line:
    """A line of the rules for one in a view."""
    subject = _question_code(line)
    return tableau_from_view(seen).line(subject >> 1, subject & 1)


def _branch_from_view(seen: Branch) -> tableau.Branch:
    law, tokens = vec[i64](map(clause_code, seen.law)), vec[i64](clause.seat for clause in seen.law)
    start = tableau.place_at(seen.row, seen.column)
    return tableau.Branch(AXIS_NAMES.index(seen.axis), start, seen.size, law, tokens)


def clause_code(seen: Clause) -> int:
    """The number of a clause."""
    fields = (seen.feature, seen.pattern, seen.value, seen.direction)
    return int(clause_codes.clause_of_fields(*fields))


def _restore_turn(turn: Turn, trial: Trial) -> None:
    """Restore the turn in progress."""
    turn.taken_back = trial.taken_back
    turn.laid = vec[i64](CARD_CODES.index(card) for card in trial.laid)
    turn.claimed = vec[i64](_question_code(line) for line in trial.claimed)
    if trial.before is not None:
        turn.before = tableau_from_view(trial.before, turn.rulings.language)
    if not trial.is_laying:
        turn.agenda.clear()
        for line in reversed(trial.questions):
            turn.agenda.push(n.TASK_QUESTION, turn.seat, _question_code(line))
        if not trial.questions:
            turn.agenda.push(n.TASK_CONTINUE, turn.seat)


def _restore_last_turn(turn: Turn, last: LastTurn) -> None:
    turn.last_seat = last.seat
    turn.last_laid = vec[i64](CARD_CODES.index(card) for card in last.laid)
    turn.last_stolen = vec[i64](_question_code(line) for line in last.stolen)


def last_turn_of(seen: View) -> LastTurn | None:
    """The last turn that laid cards, if the version shows it."""
    return seen.last_turn if isinstance(seen, SecondView) else None


def _question_code(line: Line) -> int:
    place = tableau.place_at(line.row, line.column)
    return int(n.encode_question(place, AXIS_NAMES.index(line.axis)))


def _place_hidden_cards(zones: CardZones, seen: View) -> None:
    """Fill each hidden place with some card; the re-deal chooses which."""
    for laid in seen.tableau.cards:
        zones.zone_of[CARD_CODES.index(laid.card)] = ZONE_TABLE
    for card in seen.hand:
        zones.zone_of[CARD_CODES.index(card)] = seen.seat or 0
    hidden = zones.cards(ZONE_PILE)
    for seat, size in enumerate(seen.hand_sizes):
        for _ in range(size if seat != seen.seat else 0):
            zones.zone_of[hidden.pop()] = seat
