"""The judge of Duel of Law for its referee: lines with jokers (R25 to R28, R44), which clauses
narrow a law (R12), and which cards at the ends of a line can mend it (R36)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import pairwise
from typing import Any, ClassVar, Final, TypeAlias, TypeVar, cast

from tests.referees.duel_of_law_catalogue import catalogue
from tests.referees.duel_of_law_clauses import (
    ALL_VALUES,
    BASES,
    BEGINNINGS,
    CARDS,
    CONSECUTIVE,
    COURSE_PATTERNS,
    COURSES,
    CYCLES,
    DECK,
    FALLS,
    FALLS_BY,
    JOKERS,
    NEVER_FALLS,
    NEVER_PATTERNS,
    PAIRS,
    PARTS,
    PATTERNS,
    RANKS,
    RISES,
    RISES_BY,
    STEP_PATTERNS,
    Card,
    Check,
    Clause,
    Law,
    Limits,
    LimitsOf,
    Value,
    counted,
    parts_of_words,
    passes,
    passing_values,
    sequence,
    spelling,
    start_value,
)

Domain: TypeAlias = tuple[Value, ...]  # the values of a card in one respect, lowest first
Column: TypeAlias = tuple[Domain, ...]  # the same for all cards of a line
Cell: TypeAlias = dict[str, Domain]
ShortLine: TypeAlias = list[tuple[Value, ...]]
BASE_NAMES: Final = tuple(dict.fromkeys(BASES.values()))
# Patterns of a line as a whole: cards at its ends can mend it.
WHOLE: Final = ("palindrome", "word", "starts", "follows", PAIRS)
ORDERED_SEQUENCES: Final = ("primes", "squares", "fibonacci numbers", "powers of 2")
# Patterns that compare far places: what follows depends on all cards before.
FAR: Final = ("palindrome", "word")
WHOLE_LINES, PARTS_OF_LINES, BEGUN_LINES = "whole", "parts", "begun"
REGULAR: Final[dict[str, Cell]] = {
    name: {base: (value,) for base, value in card.items()} for name, card in DECK.items()
}

MOST_REMEMBERED: Final = 200_000
Method = TypeVar("Method", bound=Callable[..., Any])


def remembered(method: Method) -> Method:
    """A method of a judge that answers each question once."""
    name = method.__name__

    def answer(self: Judge, *question: Hashable) -> Any:
        known = self.answers.setdefault(name, {})
        if question not in known:
            if len(known) >= MOST_REMEMBERED:
                known.clear()
            known[question] = method(self, *question)
        return known[question]

    return cast("Method", answer)


def open_joker(card: str) -> Cell:
    """R25, R26: a joker of which all but dice suit and shade is open."""
    return {**ALL_VALUES, "shade": (JOKERS[card],), "dice": (int(card[1]),)}


def is_joker(cell: Cell) -> bool:
    """Whether a card is a joker."""
    return cell is not REGULAR[f"{cell['colour'][0]}{RANKS[cell['rank'][0] or 0]}"]


def open_domains(clause: Clause, line: list[Cell]) -> list[Domain | None]:
    """The values of each card by a clause; None for a joker, which counts as any (R36)."""
    return [None if is_joker(cell) else cell[clause.base] for cell in line]


def runs(values: tuple[int, ...], size: int) -> Iterator[tuple[int, ...]]:
    """All runs of so many neighbours."""
    for first in range(len(values) - size + 1):
        yield values[first : first + size]


def canonical(law: Law) -> Law:
    """A law in an order that does not matter."""
    return tuple(sorted(law))


def agrees(checks: list[Check], i: int, n: int, line: list[Value]) -> bool:
    """Whether a card of a line agrees with those before it."""
    for check in checks:  # noqa: SIM110 - a loop is twice as fast
        if not check(i, n, line):
            return False
    return True


def solutions(checks: list[Check], column: Column) -> Iterator[tuple[Value, ...]]:
    """Every way to fix the jokers of a line in one respect, the lowest values first (R44)."""
    line: list[Value] = []

    def lengthen() -> Iterator[tuple[Value, ...]]:
        if len(line) == len(column):
            yield tuple(line)
            return
        for value in column[len(line)]:
            line.append(value)
            if agrees(checks, len(line) - 1, len(column), line):
                yield from lengthen()
            line.pop()

    return lengthen()


def lowest_solution(checks: list[Check], column: Column) -> tuple[Value, ...] | None:
    """The first way to fix the jokers of a line; None if there is none."""
    if any(len(domain) > 1 for domain in column):
        return next(solutions(checks, column), None)
    line, n = [domain[0] for domain in column], len(column)
    for check in checks:
        for i in range(n):
            if not check(i, n, line):
                return None
    return tuple(line)


def column_of(line: list[Cell], base: str) -> Column:
    """A line in one respect."""
    return tuple(cell[base] for cell in line)


def bases_of(law: Law) -> tuple[str, ...]:
    """The respects of which a law speaks."""
    return tuple(dict.fromkeys(base for clause in law for base in clause.bases))


def reach_of(clauses: Law) -> int:
    """How many cards back some clauses look."""
    return max([2, *(int(c.value) for c in clauses if c.pattern == CYCLES)])


def equal_bases(law: Law) -> list[set[str]]:
    """R50: the groups of bases that are equal by a law."""
    groups: list[set[str]] = []
    for clause in law:
        if clause.is_equality:
            joined = [group for group in groups if group & set(clause.bases)]
            groups = [group for group in groups if group not in joined]
            groups.append(set(clause.bases).union(*joined))
    return groups


def is_number(group: set[str], value: Value) -> bool:
    """R20: whether a value counts in each of several respects."""
    return value is not None and ("rank" not in group or value < 10)


class Judge:
    """The law language under one version. A law is given in canonical order."""

    patterns: ClassVar[dict[str, Callable[[Clause, LimitsOf], Check]]] = PATTERNS
    parts: ClassVar[dict[str, Callable[[Clause, LimitsOf], Check]]] = PARTS
    beginnings: ClassVar[dict[str, Callable[[Clause, LimitsOf], Check]]] = BEGINNINGS

    def __init__(self, version: int) -> None:
        self.version = version
        self.answers: dict[str, dict[Hashable, Any]] = {}

    def catalogue(self) -> Law:
        """R3: all clauses."""
        return catalogue(self.version)

    # -- laws ---------------------------------------------------------------------------------

    @remembered
    def passing_cards(self, law: Law) -> tuple[Card, ...]:
        """The regular cards that the clauses of single cards let pass."""
        clauses = [clause for clause in law if clause.pattern == "is"]
        return tuple(card for card in CARDS if all(passes(clause, card) for clause in clauses))

    @remembered
    def limits(self, law: Law, feature: str) -> Limits:
        """R16, R17: where a course may start again."""
        values = [counted(feature, card[BASES[feature]]) for card in self.passing_cards(law)]
        numbers = [value for value in values if value is not None]
        return Limits(min(numbers, default=None), max(numbers, default=None))

    @remembered
    def checks(self, law: Law, of: str = WHOLE_LINES) -> dict[str, list[Check]]:
        """The checks of a law, by base: of whole lines (R6), of such as can be lengthened (R36), or
        of such as can go on (R51)."""
        checks: dict[str, list[Check]] = {}
        for clause in law:
            if not clause.is_equality:
                check = self.check(law, clause, of)
                checks.setdefault(clause.base, []).append(check)
        return checks

    def check(self, law: Law, clause: Clause, of: str = WHOLE_LINES) -> Check:
        """The check of a clause that belongs to a law."""
        singles = tuple(clause for clause in law if clause.pattern == "is")
        others = {PARTS_OF_LINES: self.parts, BEGUN_LINES: self.beginnings}.get(of, {})
        pattern = others.get(clause.pattern) or self.patterns[clause.pattern]
        return pattern(clause, lambda feature: self.limits(singles, feature))

    # -- lines --------------------------------------------------------------------------------

    @remembered
    def lowest(
        self, law: Law, base: str, column: Column, of: str = WHOLE_LINES
    ) -> tuple[Value, ...] | None:
        """R44: the lowest values with which a line follows a law in one respect."""
        return lowest_solution(self.checks(law, of)[base], column)

    def obeys(self, law: Law, line: list[Cell], of: str = WHOLE_LINES) -> bool:
        """Whether a line follows a law, with suitable jokers."""
        equal = self.equalized(law, line)
        return equal is not None and all(
            self.lowest(law, base, column_of(equal, base), of) for base in self.checks(law, of)
        )

    def equalized(self, law: Law, line: list[Cell]) -> list[Cell] | None:
        """R50: a line after features that are equal by its law have determined its jokers; None
        if they cannot be equal."""
        groups = equal_bases(law)
        if not groups:
            return line
        cells = [self.equal_cell(law, cell, groups) for cell in line]
        equal = [cell for cell in cells if cell is not None]
        return equal if len(equal) == len(line) else None

    def equal_cell(self, law: Law, cell: Cell, groups: list[set[str]]) -> Cell | None:
        """R50: a card whose equal features have the lowest value that all of them can have."""
        cell = dict(cell)
        for group in groups:
            values = [self.left_by_singles(law, base, cell[base]) for base in sorted(group)]
            common = [v for v in values[0] if is_number(group, v) and all(v in d for d in values)]
            if not common:
                return None
            cell |= dict.fromkeys(group, (self.equal_value(common),))
        return cell

    def equal_value(self, common: list[Value]) -> Value:
        """R50: the value of equal features."""
        return common[0]

    def left_by_singles(self, law: Law, base: str, domain: Domain) -> Domain:
        """The values that the other `is` clauses let pass."""
        clauses = [c for c in law if c.base == base and c.pattern == "is" and not c.is_equality]
        return tuple(v for v in domain if all(v in passing_values(c) for c in clauses))

    def settled(self, law: Law, line: list[Cell]) -> list[Cell] | None:
        """R26: a line after its law has determined its jokers; None if it breaks the law."""
        equal = self.equalized(law, line)
        if equal is None:
            return None
        settled = [dict(cell) for cell in equal]
        for base in self.checks(law):
            column = column_of(settled, base)
            lowest = self.lowest(law, base, column)
            if lowest is None:
                return None
            clauses = [c for c in law if c.base == base and not c.is_equality]
            for cell, domain, value in zip(settled, column, lowest, strict=True):
                cell[base] = self.left(clauses, domain, value)
        return settled

    def left(self, clauses: list[Clause], domain: Domain, lowest: Value) -> Domain:
        """R26: the values that a law leaves to a joker in one respect. Fitted: any clause of more
        than single cards fixes the value, also where it needs no certain one."""
        if any(clause.pattern != "is" for clause in clauses):
            return (lowest,)
        return tuple(v for v in domain if all(v in passing_values(c) for c in clauses))

    # -- whether more cards could mend a line (R36) -------------------------------------------

    def is_mendable(self, law: Law, line: list[Cell]) -> bool:
        """Whether cards at the ends of a line could still make it follow a law."""
        parts = tuple(clause for clause in law if clause.pattern not in WHOLE)
        return self.obeys(parts, line, PARTS_OF_LINES) and all(
            self.is_open_to(clause, line, column_of(line, clause.base))
            for clause in law
            if clause.pattern in WHOLE
        )

    def is_open_to(self, clause: Clause, line: list[Cell], column: Column) -> bool:
        """Whether cards at the ends could make a line follow a clause of the whole line."""
        if self.version == 1:
            return True
        if clause.pattern == "word":
            return self.is_in_a_word(column[::-1] if clause.is_backward else column)
        if clause.pattern == PAIRS:
            return self.may_become_pairs(clause, line)
        if clause.pattern == "follows":
            return self.may_become_sequence(clause, line)
        return clause.pattern != "palindrome" or self.may_be_mirrored(column)

    def may_become_pairs(self, clause: Clause, line: list[Cell]) -> bool:
        """R36: whether a line can be lengthened to pairs; a joker counts as any value."""
        values = open_domains(clause, line)
        alike = [None if None in two else two[0] == two[1] for two in pairwise(values)]
        return any(
            all(is_equal in (None, k % 2 == offset) for k, is_equal in enumerate(alike))
            for offset in (0, 1)
        )

    def may_become_sequence(self, clause: Clause, line: list[Cell]) -> bool:
        """R36: whether a line can be lengthened to a sequence; a joker counts as any value."""
        domains = open_domains(clause, line)[:: -1 if clause.is_backward else 1]
        members, is_cycle = sequence(clause.feature, clause.value)
        values = (members * len(DECK) if is_cycle else members)[: len(DECK) + len(JOKERS)]
        return any(
            all(domain in (None, (value,)) for domain, value in zip(domains, part, strict=True))
            for part in runs(values, len(domains))
        )

    def may_be_mirrored(self, column: Column) -> bool:
        """R20: whether each card has a value; a face card has no number."""
        return (None,) not in column

    @remembered
    def is_in_a_word(self, column: Column) -> bool:
        """Whether a word contains such letters."""
        parts = parts_of_words(len(column))
        if all(len(domain) == 1 for domain in column):
            return spelling(domain[0] for domain in column) in parts
        letters = [spelling(domain) for domain in column]
        return any(all(a in b for a, b in zip(part, letters, strict=True)) for part in parts)

    # -- which clauses narrow a law (R12) -----------------------------------------------------

    def values_that_come_up(self, clause: Clause, law: Law) -> frozenset[Value] | None:
        """The values of its base that a clause leaves to a line; None if all."""
        if clause.pattern in ("follows", CONSECUTIVE):
            return frozenset(sequence(clause.feature, clause.value)[0])
        if clause.pattern == "starts":
            for step in law:
                if step.pattern in STEP_PATTERNS and step.feature == clause.feature:
                    values = COURSES[clause.feature]
                    first, by = values.index(start_value(clause)), int(step.value)
                    return frozenset(values[(first + by * k) % len(values)] for k in range(120))
        return None

    @remembered
    def cards_held(self, law: Law) -> tuple[Card, ...]:
        """The regular cards that a law can ever hold."""
        cards = list(self.passing_cards(law))
        for clause in law:
            values = self.values_that_come_up(clause, law)
            if values is not None:
                cards = [card for card in cards if card[clause.base] in values]
        return tuple(cards)

    def short_lines(self, law: Law, bases: tuple[str, ...], size: int) -> Iterator[ShortLine]:
        """All short lines of regular cards on which a law holds; each card as its values of some
        bases."""
        held = self.cards_held(law)
        cards = list(dict.fromkeys(tuple(card[base] for base in bases) for card in held))
        tests = [
            (bases.index(base), checks) for base, checks in self.checks(law, BEGUN_LINES).items()
        ]

        def lengthen(line: ShortLine) -> Iterator[ShortLine]:
            i = len(line)
            if i == size:
                yield line
                return
            for card in cards:
                longer = [*line, card]
                if all(agrees(checks, i, size, [c[k] for c in longer]) for k, checks in tests):
                    yield from lengthen(longer)

        return lengthen([])

    @remembered
    def has_short_line(self, law: Law) -> bool:
        """Whether any line of three regular cards follows a law."""
        return next(self.short_lines(law, bases_of(law), 3), None) is not None

    def says_more(self, law: Law, clause: Clause, size: int) -> bool:
        """Whether a clause fails on some line of a size on which a law holds."""
        bases = bases_of((*law, clause))
        k = bases.index(clause.base)
        check = self.check(law, clause, BEGUN_LINES)
        for line in self.short_lines(law, bases, size):
            column = [card[k] for card in line]
            if not all(check(i, size, column[: i + 1]) for i in range(size)):
                return True
        return False

    @remembered
    def is_new(self, law: Law, clause: Clause) -> bool:
        """R12: whether a clause says something new."""
        is_single = clause.pattern == "is"
        if is_single and all(passes(clause, card) for card in self.passing_cards(law)):
            return False
        if self.version > 1:
            return not self.is_said_by_a_course(law, clause) and any(
                self.is_broken(law, clause, size) for size in self.sizes(law)
            )
        if is_single:  # Differs from R12: also where no three cards follow the law
            return any(not passes(clause, card) for card in self.cards_held(law))
        return self.says_more(law, clause, 3)

    def sizes(self, law: Law) -> range:
        """R12: the sizes of the lines that are tried. Differs from R12: there is a longest line."""
        shortest = max([3, *(int(c.value) + 1 for c in law if c.pattern == CYCLES)])
        return range(shortest, shortest + 2)

    @remembered
    def is_broken(self, law: Law, clause: Clause, size: int) -> bool:
        """Whether a clause fails on some line of a size on which a law holds, and so each part of
        the law: the parts are asked first, for lines of theirs are found sooner."""
        if clause.pattern == PAIRS and size % 2 == 1:  # R51
            return False
        parts = [tuple(c for c in law if c != one) for one in law if one.pattern != "is"]
        are_broken = all(self.is_broken(part, clause, size) for part in parts)
        return are_broken and self.is_broken_in_whole(law, clause, size)

    def is_broken_in_whole(self, law: Law, clause: Clause, size: int) -> bool:
        """Whether there is such a line, by a search."""
        whole = (*law, clause)
        bases = bases_of(tuple(c for c in whole if c.pattern != "is"))
        is_single = clause.pattern == "is"
        cards = dict.fromkeys(
            (*(card[base] for base in bases), int(not is_single or passes(clause, card)))
            for card in self.passing_cards(law)
        )
        tests = [(bases.index(b), c) for b, c in self.checks(law).items() if b in bases]
        judge = self.check(law, clause, BEGUN_LINES)
        reach = size if any(c.pattern in FAR for c in whole) else reach_of(whole)
        tried: set[Hashable] = set()

        def agrees_with_law(line: ShortLine) -> bool:
            i = len(line) - 1
            return all(agrees(checks, i, size, [card[k] for card in line]) for k, checks in tests)

        def keeps(line: ShortLine) -> bool:
            if is_single:
                return line[-1][-1] == 1
            k = bases.index(clause.base)
            return judge(len(line) - 1, size, [card[k] for card in line])

        def fails(line: ShortLine, is_kept: bool) -> bool:
            if len(line) == size:
                return not is_kept
            state = (len(line), is_kept, tuple(line[-reach:]))
            if state in tried:
                return False
            tried.add(state)
            lawful = filter(agrees_with_law, ([*line, card] for card in cards))
            return any(fails(longer, is_kept and keeps(longer)) for longer in lawful)

        return fails([], True)

    def is_said_by_a_course(self, law: Law, clause: Clause) -> bool:
        """R52: whether values go one way until they begin again, by a course or a sequence."""
        if clause.pattern not in (*NEVER_PATTERNS, *COURSE_PATTERNS):
            return False
        is_up = clause.pattern in (NEVER_FALLS, RISES)
        ways = (RISES, RISES_BY) if is_up else (FALLS, FALLS_BY)
        return any(
            c.feature == clause.feature
            and (
                (clause.pattern in NEVER_PATTERNS and c.pattern in ways)
                or (c.value in ORDERED_SEQUENCES and c.is_backward != is_up)
            )
            for c in law
        )

    def may_start(self, law: Law, clause: Clause) -> bool:
        """R19: whether a law says how the feature of a start goes on."""
        if self.version > 1 and any(c.pattern == "starts" for c in law):
            return False
        return any(self.goes_on(c, clause) for c in law)

    def goes_on(self, going: Clause, start: Clause) -> bool:
        """Whether a clause says how a feature goes on after a start. Version 1: in the direction
        of its course. Fitted: a step has both (R14)."""
        if going.feature != start.feature:
            return False
        is_course = going.pattern in COURSE_PATTERNS
        if is_course and self.version == 1:
            return going.direction == start.direction
        return is_course or going.pattern in STEP_PATTERNS

    # -- claims -------------------------------------------------------------------------------

    @remembered
    def catalogue_of(self, base: str) -> Law:
        """The clauses of the catalogue about a base alone, without starts."""
        clauses = [c for c in self.catalogue() if c.base == base and c.pattern != "starts"]
        return tuple(clause for clause in clauses if not clause.is_equality)

    def equalities(self, line: list[Cell]) -> Law:
        """R50: the equalities that a line follows, in a law without others."""
        clauses = [clause for clause in self.catalogue() if clause.is_equality]
        return tuple(clause for clause in clauses if self.obeys((clause,), line))

    @remembered
    def starts(self, law: Law) -> Law:
        """The starts that a law may be given."""
        clauses = [clause for clause in self.catalogue() if clause.pattern == "starts"]
        return tuple(clause for clause in clauses if self.may_start(law, clause))

    @remembered
    def first_clauses(self, base: str, column: Column) -> Law:
        """The clauses that a line follows in one respect, in a law without others."""
        clauses = [(clause, self.checks((clause,))[base]) for clause in self.catalogue_of(base)]
        return tuple(clause for clause, checks in clauses if lowest_solution(checks, column))

    def has_clause(self, line: list[Cell]) -> bool:
        """Whether a line follows any clause at all."""
        return any(self.first_clauses(base, column_of(line, base)) for base in BASE_NAMES) or bool(
            self.equalities(line)
        )

    def candidates(self, law: Law, line: list[Cell]) -> Iterator[Clause]:
        """The clauses that a line may follow in addition to its law."""
        yield from self.starts(law)
        yield from self.equalities(line)
        for base in BASE_NAMES:
            yield from (c for c in self.catalogue_of(base) if c.pattern in COURSE_PATTERNS)
            clauses = self.first_clauses(base, column_of(line, base))
            yield from (c for c in clauses if c.pattern not in COURSE_PATTERNS)

    def claims(self, law: Law, line: list[Cell]) -> list[Clause]:
        """Every clause that may be added to the law of a line."""
        if not law:
            columns = {base: column_of(line, base) for base in BASE_NAMES}
            clauses = [c for base in columns for c in self.first_clauses(base, columns[base])]
            return [*clauses, *self.equalities(line)]
        return [
            clause
            for clause in self.candidates(law, line)
            if clause not in law
            and self.obeys(canonical((*law, clause)), line)
            and self.is_new(law, clause)
        ]


JUDGES: Final[dict[tuple[type[Judge], int], Judge]] = {}


def judge_of(kind: type[Judge], version: int) -> Judge:
    """The judge of a kind for a version: it remembers its answers from game to game."""
    return JUDGES.setdefault((kind, version), kind(version))
