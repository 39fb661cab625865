"""The tableau of Duel of Law for its referee: cards, branches, lines, and how they may grow."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from tests.referees.duel_of_law_clauses import ALL_VALUES, FEATURES, JOKERS, Clause, Law, value_name
from tests.referees.duel_of_law_lines import (
    BASE_NAMES,
    REGULAR,
    Cell,
    Judge,
    canonical,
    open_joker,
)
from tests.referees.runner import Json

Place: TypeAlias = tuple[int, int]  # row and column
ACROSS, DOWN = AXES = ("across", "down")
STEPS: Final = {ACROSS: (0, 1), DOWN: (1, 0)}
SIDE: Final = 256  # R40


def beyond(place: Place, axis: str, by: int) -> Place:
    """The place so many steps along an axis; the table has no edge (R40)."""
    row, column = (
        (part + by * step + SIDE // 2) % SIDE - SIDE // 2
        for part, step in zip(place, STEPS[axis], strict=True)
    )
    return row, column


def other_axis(axis: str) -> str:
    """The axis at a right angle."""
    return DOWN if axis == ACROSS else ACROSS


@dataclass(frozen=True)
class Branch:
    """A line with a law: for each clause the seat whose token lies on it, the top one last."""

    axis: str
    places: tuple[Place, ...]
    stack: tuple[tuple[int, Clause], ...]
    age: int

    @property
    def owner(self) -> int:
        """The seat of the top token."""
        return self.stack[-1][0]

    @property
    def law(self) -> Law:
        """Its clauses."""
        return tuple(clause for _, clause in self.stack)

    def as_json(self) -> Json:
        """The branch as a view has it."""
        return {
            "axis": self.axis,
            "row": self.places[0][0],
            "column": self.places[0][1],
            "size": len(self.places),
            "law": [{"seat": seat, **clause._asdict()} for seat, clause in self.stack],
        }


@dataclass(frozen=True)
class Line:
    """All adjacent cards along an axis."""

    axis: str
    places: tuple[Place, ...]

    def as_json(self) -> Json:
        """The line as a view has it."""
        return {"axis": self.axis, "row": self.places[0][0], "column": self.places[0][1]}


@dataclass(frozen=True)
class Demand:
    """A line of the turn in progress, and the law of its branches."""

    line: Line
    law: Law
    is_along: bool


@dataclass
class Tableau:
    """Everything that lies on the table."""

    judge: Judge
    cards: dict[Place, str] = field(default_factory=dict)
    jokers: dict[str, Cell] = field(default_factory=dict)
    branches: tuple[Branch, ...] = ()
    born: int = 0  # branches so far

    def copied(self) -> Tableau:
        """The same again."""
        return replace(self, cards=dict(self.cards), jokers=dict(self.jokers))

    def put(self, card: str, place: Place) -> None:
        """Lay a card."""
        self.cards[place] = card
        if card in JOKERS:
            self.jokers[card] = open_joker(card)

    def cell(self, card: str) -> Cell:
        """The values of a card, or those that it may have."""
        return REGULAR[card] if card in REGULAR else self.jokers.get(card) or open_joker(card)

    def line(self, place: Place, axis: str) -> Line:
        """The line through a place, which itself may be empty."""
        places = [place]
        for by in (-1, 1):
            at = beyond(place, axis, by)
            while at in self.cards:
                places.insert(0 if by < 0 else len(places), at)
                at = beyond(at, axis, by)
        return Line(axis, tuple(places))

    def cells(self, line: Line, added: dict[Place, str] | None = None) -> list[Cell]:
        """The cards of a line."""
        added = added or {}
        return [self.cell(added.get(at) or self.cards[at]) for at in line.places]

    def branches_in(self, line: Line) -> list[Branch]:
        """The branches that a line contains, from the left or from the top."""
        places = {place: i for i, place in enumerate(line.places)}
        found = [b for b in self.branches if b.axis == line.axis and b.places[0] in places]
        return sorted(found, key=lambda branch: places[branch.places[0]])

    def merged(self, line: Line) -> Branch | None:
        """The branch that a line is, R22; None if it has no law yet."""
        branches = self.branches_in(line)
        if not branches:
            return None
        merged = branches[0]
        for branch in branches[1:]:
            merged = self.join(merged, branch)
        return replace(merged, places=line.places)

    @staticmethod
    def join(one: Branch, two: Branch) -> Branch:
        """R22: the stack of fewer tokens goes under, of equal ones that of the older branch.
        Fitted: the branch is as old as that of the stack on top."""
        under, over = sorted((one, two), key=lambda branch: (len(branch.stack), branch.age))
        kept = tuple(token for token in under.stack if token[1] not in over.law)
        return replace(over, stack=kept + over.stack)

    def law_of(self, line: Line) -> Law:
        """The clauses that a line must follow."""
        branch = self.merged(line)
        return canonical(branch.law) if branch else ()

    def owned(self, seats: int) -> list[int]:
        """The number of branches of each seat."""
        owners = [branch.owner for branch in self.branches]
        return [owners.count(seat) for seat in range(seats)]

    # -- what may lie -------------------------------------------------------------------------

    def demand(self, line: Line, *, is_along: bool) -> Demand:
        """The clauses that a line must keep."""
        return Demand(line, self.law_of(line), is_along)

    def meets(self, demand: Demand, added: dict[Place, str] | None = None) -> bool:
        """R36: whether a line keeps what it must: a line across is lawful, and further cards can
        make the line along so."""
        if not demand.is_along:
            return self.is_lawful(demand.line, demand.law, added)
        if not demand.law:  # R46: any line is half a palindrome
            return True
        return self.judge.is_mendable(demand.law, self.cells(demand.line, added))

    def is_lawful(
        self, line: Line, law: Law | None = None, added: dict[Place, str] | None = None
    ) -> bool:
        """R6: whether a line may lie as it is."""
        if len(line.places) < 3:
            return True
        cells = self.cells(line, added)
        law = self.law_of(line) if law is None else law
        return self.judge.obeys(law, cells) if law else self.judge.has_clause(cells)

    # -- changes ------------------------------------------------------------------------------

    def settle(self, line: Line) -> bool:
        """R26, R44: let the law of a line determine its jokers; whether it can."""
        law = self.law_of(line)
        settled = self.judge.settled(law, self.cells(line))
        if settled is None:
            return False
        for place, cell in zip(line.places, settled, strict=True):
            if self.cards[place] in JOKERS:
                self.jokers[self.cards[place]] = cell
        return True

    def grow(self, line: Line) -> bool:
        """Make one branch of those in a line, and settle it."""
        branch = self.merged(line)
        if branch is None:
            return True
        old = self.branches_in(line)
        self.branches = (*(b for b in self.branches if b not in old), branch)
        return self.settle(line)

    def claim(self, line: Line, seat: int, clause: Clause) -> None:
        """Add a clause to the law of a line."""
        branch = self.merged(line)
        if branch is None:
            self.born += 1
            branch = Branch(line.axis, line.places, (), self.born)
        old = self.branches_in(line)
        branch = replace(branch, stack=(*branch.stack, (seat, clause)))
        self.branches = (*(b for b in self.branches if b not in old), branch)
        self.settle(line)

    # -- views --------------------------------------------------------------------------------

    def as_json(self) -> Json:
        """The tableau as a view has it."""
        return {
            "cards": [
                {"card": card, "row": place[0], "column": place[1]}
                for place, card in self.cards.items()
            ],
            "branches": [branch.as_json() for branch in self.branches],
            "jokers": [
                {"card": card, "is_now": joker_json(cell)} for card, cell in self.jokers.items()
            ],
        }


def joker_json(cell: Cell) -> list[Json]:
    """A joker as a view has it: all respects that are not quite open."""
    return [
        {"feature": base, "values": [value_name(base, v) for v in cell[base] if v is not None]}
        for base in FEATURES
        if base in BASE_NAMES and cell[base] != ALL_VALUES.get(base)
    ]
