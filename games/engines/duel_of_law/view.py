"""What one may know of a table, and which tables would look exactly like it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import ONLOOKER, Rng
from games.engines.common.agenda import kind_of, subject_of
from games.engines.common.bits import bit, members
from games.engines.duel_of_law import branches, tableau
from games.engines.duel_of_law.actions import Card, Column, Direction, Feature, Pattern, Row, Value
from games.engines.duel_of_law.cards import CODES, code, is_joker
from games.engines.duel_of_law.language import names, wilds
from games.engines.duel_of_law.options import Options
from games.engines.duel_of_law.state import DuelState
from games.engines.duel_of_law.table import ENDINGS, PILE, TABLE
from games.engines.duel_of_law.tasks import ASK, LAID, LAY, asking

Axis = Literal["across", "down"]
Ending = Literal["lead", "passes"]
AXES: tuple[Axis, Axis] = ("across", "down")
MIDDLE = 128  # of a place's row and column, as the rules number them


@dataclass(frozen=True)
class Laid:
    """A card on the tableau."""

    card: Card
    row: Row
    column: Column


@dataclass(frozen=True)
class Line:
    """Cards side by side, from the first on."""

    axis: Axis
    row: Row
    column: Column


@dataclass(frozen=True)
class Clause:
    """One part of a law, and whose token was laid for it."""

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
        """Whose token is on top."""
        return self.law[-1].seat


@dataclass(frozen=True)
class Open:
    """What a joker may still be in one respect."""

    feature: Feature
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Joker:
    """A joker on the tableau, and what it has become; in all other respects it is open."""

    card: Card
    is_now: tuple[Open, ...]


@dataclass(frozen=True)
class Tableau:
    """All that lies on the table."""

    cards: tuple[Laid, ...]
    branches: tuple[Branch, ...]  # the oldest first
    jokers: tuple[Joker, ...]


@dataclass(frozen=True)
class Trial:
    """What only the seat whose turn it is knows of its turn."""

    before: Tableau | None  # as the others see it; none: as it is, for nothing was laid
    laid: tuple[Card, ...]  # in this order
    is_laying: bool  # another card, that is to say
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
    owned: tuple[int, ...]  # by seat: the branches
    is_open: bool  # has a hand been empty, so that one can win?
    passes: int  # in succession
    ending: Ending | None
    winners: tuple[int, ...]

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hand_sizes)


# -- from the state -----------------------------------------------------------------------------


def view(state: DuelState, seat: int | None) -> View:
    """What `seat` (None: an onlooker) may know."""
    is_trying = seat == state.turn and state.to_act != 0
    shown = state.tableau if is_trying else state.before  # R38
    sizes = [int(state.count(other)) for other in range(state.seats)]
    if not is_trying:
        sizes[state.turn] += len(state.laid)
    return View(
        seat=seat,
        options=Options(),
        to_act=_plain(members(state.to_act)),
        turn=int(state.turn),
        tableau=_tableau(shown),
        trial=_trial(state) if is_trying else None,
        hand=() if seat is None else _codes(state.held(seat)),
        hand_sizes=tuple(sizes),
        deck=int(state.count(PILE)),
        owned=tuple(_owned(shown, other) for other in range(state.seats)),
        is_open=state.is_open,
        passes=int(state.passes),
        ending=_ending(state),
        winners=_plain(members(state.winners)),
    )


def _plain(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(int(number) for number in numbers)


def _codes(cards: Iterable[int]) -> tuple[Card, ...]:
    return tuple(code(card) for card in cards)


def _owned(shown: tableau.Tableau, seat: int) -> int:
    return sum(branch.owner == seat for branch in shown.branches)


def _ending(state: DuelState) -> Ending | None:
    ended: tuple[Ending | None, ...] = (None, "lead", "passes")
    return ended[state.ending]


def _tableau(shown: tableau.Tableau) -> Tableau:
    cards = shown.cards()
    return Tableau(
        cards=tuple(Laid(code(card), *_spot(shown.spots[card])) for card in cards),
        branches=tuple(_branch(branch) for branch in shown.branches),
        jokers=tuple(_joker(shown.wilds, card) for card in cards if is_joker(card)),
    )


def _spot(place: int) -> tuple[int, int]:
    return int(place >> 8) - MIDDLE, int(place & 0xFF) - MIDDLE


def _branch(branch: branches.Branch) -> Branch:
    law = (_clause(clause, seat) for clause, seat in zip(branch.law, branch.tokens, strict=True))
    return Branch(AXES[branch.axis], *_spot(branch.start), int(branch.size), tuple(law))


def _clause(clause: int, seat: int) -> Clause:
    return Clause(
        seat=int(seat),
        feature=names.FEATURE_NAMES[names.feature_in(clause)],
        pattern=names.PATTERN_NAMES[names.pattern_in(clause)],
        value=names.VALUE_NAMES[names.value_in(clause)],
        direction=names.DIRECTION_NAMES[names.direction_in(clause)],
    )


def _joker(all_wilds: vec[i64], card: int) -> Joker:
    shown = wilds.shown_wilds(all_wilds, card)
    return Joker(code(card), tuple(Open(name, tuple(values)) for name, values in shown.items()))


def _trial(state: DuelState) -> Trial:
    questions = [task for task in state.agenda.tasks if kind_of(task) == ASK]
    return Trial(
        before=_tableau(state.before) if state.is_trying() else None,
        laid=_codes(state.laid),
        is_laying=kind_of(state.agenda.top()) == LAY,
        questions=tuple(_line(subject_of(task)) for task in reversed(questions)),
        claimed=tuple(_line(subject) for subject in state.claimed),
        taken_back=int(state.taken_back),
    )


def _line(subject: int) -> Line:
    return Line(AXES[subject & 1], *_spot(subject >> 1))


# -- back to a state ----------------------------------------------------------------------------


def imagine(seen: View, rng: Rng) -> DuelState:
    """A table that would look like this: what is hidden lies where chance puts it."""
    state = DuelState()
    state.lay_out(seen.seats)
    state.turn = seen.turn
    state.tableau = state.before = tableau_of(seen.tableau)
    if seen.to_act:
        state.begin_turn(seen.turn)
    if seen.trial is not None:
        _resume(state, seen.trial)
    state.passes = seen.passes
    state.is_open = seen.is_open
    if seen.ending is not None:
        state.ending = ENDINGS.index(seen.ending)
        state.winners = sum(bit(seat) for seat in seen.winners)
    _lay_hidden(state, seen)
    state.determinize(ONLOOKER if seen.seat is None else seen.seat, rng)
    state.is_imagined = False  # what the seat itself may do is worth long thoughts
    return state


def tableau_of(seen: Tableau) -> tableau.Tableau:
    """What lies on the table, as the rules know it."""
    found = tableau.bare()
    for laid in seen.cards:
        found.lay(CODES.index(laid.card), place_of(laid.row, laid.column))
    found.branches = [_branch_of(branch) for branch in seen.branches]
    for joker in seen.jokers:
        shown = {one.feature: list(one.values) for one in joker.is_now}
        found.wilds = wilds.wilds_of(found.wilds, CODES.index(joker.card), shown)
    return found


def _branch_of(seen: Branch) -> branches.Branch:
    law, tokens = vec[i64](map(clause_of, seen.law)), vec[i64](clause.seat for clause in seen.law)
    start = place_of(seen.row, seen.column)
    return branches.Branch(AXES.index(seen.axis), start, seen.size, law, tokens)


def clause_of(seen: Clause) -> int:
    """The number of a clause."""
    return names.clause_of(
        names.FEATURE_NAMES.index(seen.feature),
        names.PATTERN_NAMES.index(seen.pattern),
        names.VALUE_NAMES.index(seen.value),
        names.DIRECTION_NAMES.index(seen.direction),
    )


def place_of(row: int, column: int) -> int:
    """A place from its row and column, the first card lying in 0 and 0."""
    return (row + MIDDLE) << 8 | (column + MIDDLE)


def _resume(state: DuelState, trial: Trial) -> None:
    """The turn as far as it has come."""
    state.taken_back = trial.taken_back
    state.laid = vec[i64](CODES.index(card) for card in trial.laid)
    state.claimed = vec[i64](_subject(line) for line in trial.claimed)
    if trial.before is not None:
        state.before = tableau_of(trial.before)
    if not trial.is_laying:
        state.agenda.clear()
        for line in reversed(trial.questions):
            state.agenda.push(ASK, state.turn, _subject(line))
        if not trial.questions:
            state.agenda.push(LAID, state.turn)


def _subject(line: Line) -> int:
    return int(asking(place_of(line.row, line.column), AXES.index(line.axis)))


def _lay_hidden(state: DuelState, seen: View) -> None:
    """Put some card wherever one is hidden; the re-deal will choose which."""
    for laid in seen.tableau.cards:
        state.zones[CODES.index(laid.card)] = TABLE
    for card in seen.hand:
        state.zones[CODES.index(card)] = seen.seat or 0
    hidden = [card for card, zone in enumerate(state.zones) if zone == PILE]
    for seat, size in enumerate(seen.hand_sizes):
        for _ in range(size if seat != seen.seat else 0):
            state.zones[hidden.pop()] = seat
