"""Duel of Law agrees with its referee, and a referee that misreads a ruling disagrees."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final, NamedTuple

import pytest

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.installed.registry import installed_versions
from tests.referees import runner
from tests.referees.duel_of_law import DuelOfLawReferee
from tests.referees.duel_of_law_catalogue import catalogue
from tests.referees.duel_of_law_clauses import (
    ALL_VALUES,
    COURSES,
    DECK,
    PARTS,
    PATTERNS,
    Check,
    Clause,
    Law,
    Limits,
    LimitsOf,
    Value,
    check_is,
    counted,
    neighbours,
    one_by_one,
    sequence,
    shown,
    start_value,
)
from tests.referees.duel_of_law_lines import (
    Cell,
    Column,
    Domain,
    Judge,
    is_joker,
    lowest_solution,
    solutions,
)
from tests.referees.duel_of_law_tableau import STEPS, Branch, Line, Tableau

pytestmark = pytest.mark.lane("referees", core=1)

Rulebook = DuelOfLawReferee
SHORT, LONG = 1, 500  # games of each version: all variants, and all numbers of seats
SHORT_BRANCHES, LONG_BRANCHES = 1, 500
SHORT_BRIDGES, LONG_BRIDGES = 1, 250
FIRST_BRIDGE: Final = 3  # the seed of a game with bridges in each version


@pytest.mark.lane("referees")
@pytest.mark.parametrize("version", installed_versions(Rulebook.slug))
def test_the_engine_agrees(version: int, games_count: Callable[[int, int], int]) -> None:
    assert runner.check_games(Rulebook, version, games_count(SHORT, LONG)) > SHORT


class Builders(runner.Players):
    """Players who lay jokers and several cards at a time, claim, and steal."""

    WEIGHTS: ClassVar[Mapping[str, float]] = {
        "place": 5.0,
        "more": 3.0,
        "finish": 3.0,
        "claim": 10.0,
        "take_back": 0.05,
        "undo": 0.05,
        "draw_six": 0.3,
        "name": 0.02,
    }

    def weight(self, action: Any) -> float:
        weight = self.WEIGHTS.get(action["type"].partition(".")[2], 1.0)
        if action.get("card", "").startswith("*") and "row" in action:
            return 50 * weight
        return 4 * weight if action.get("pattern", "is") != "is" else weight


@pytest.mark.parametrize("version", installed_versions(Rulebook.slug))
def test_the_engine_agrees_on_many_branches(
    version: int, games_count: Callable[[int, int], int]
) -> None:
    for seed in range(games_count(SHORT_BRANCHES, LONG_BRANCHES)):
        game = runner.refereed_game(Rulebook.slug, version, seed)
        runner.check_game(Rulebook, game, Builders)


class Waverers(Builders):
    """Players who take cards back."""

    WEIGHTS: ClassVar = {**Builders.WEIGHTS, "finish": 0.1, "claim": 0.1, "undo": 30.0}


class Idlers(Builders):
    """Players who draw, and then pass."""

    WEIGHTS: ClassVar = {**Builders.WEIGHTS, "draw_six": 1e6, "pass": 2000.0}


class Starters(Builders):
    """Players in one game who claim a law that no line of three regular cards follows."""

    ACTIONS: ClassVar = (
        *(2155826432, 2, 2155971328, 3, 2936013572),  # 5K and 101; multiples of 3 on dice
        *(2155755520, 3, 3254911236),  # 44; suits rise
        *(2155716864, 3, 65796),  # a joker; suits start with their first
        *(2138909184, 2, 2122127104, 3, 17041668),  # 33 and 1J across; letters rise by 1
        *(2156040960, 3),  # 114
    )

    def __init__(self, engine: AnyEngine, seed: int) -> None:
        super().__init__(engine, seed)
        self._actions = iter(self.ACTIONS)

    def choose(self, state: State) -> tuple[int, int]:
        return self._engine.awaited_seats(state)[0], next(self._actions)


class Waiters(Builders):
    """Players who lay no cards once a hand was empty."""

    def choose(self, state: State) -> tuple[int, int]:
        self._is_open = runner.Seen(self._engine, state).views[None]["is_open"]
        return super().choose(state)

    def weight(self, action: Any) -> float:
        is_rest = action["type"].partition(".")[2] in {"draw_six", "pass"}
        return 1e6 if self._is_open and is_rest else super().weight(action)


class Planners(Builders, ABC):
    """Players who lay cards at certain places, as many as they can, and claim certain laws."""

    def choose(self, state: State) -> tuple[int, int]:
        seat = self._engine.awaited_seats(state)[0]
        view = runner.Seen(self._engine, state).views[seat]
        self._places = self.places(view["tableau"]["branches"])
        laid = set(view["trial"]["laid"])
        cards = view["tableau"]["cards"]
        laid_at = {(card["row"], card["column"]) for card in cards if card["card"] in laid}
        self._is_going_on = bool(laid_at & self._places)
        return super().choose(state)

    @abstractmethod
    def places(self, branches: list[Any]) -> set[tuple[int, int]]:
        """Where these players want to lay cards."""

    @abstractmethod
    def wants(self, action: Any) -> bool:
        """Whether these players want to claim a clause."""

    def weight(self, action: Any) -> float:
        if (action.get("row"), action.get("column")) in self._places:
            return 200.0
        if self._is_going_on and action["type"].endswith("more"):
            return 20.0
        if "pattern" in action and self.wants(action):
            return 1000.0
        return 200.0 if action["type"].endswith("draw_six") else super().weight(action)


class Bridgers(Planners):
    """Players who join branches, and claim clauses that many cards follow."""

    def places(self, branches: list[Any]) -> set[tuple[int, int]]:
        return gaps(branches)

    def wants(self, action: Any) -> bool:
        return action["pattern"] == "is" and action["value"] in {"number", "consonant", "1"}

    def weight(self, action: Any) -> float:
        weight = super().weight(action)
        return weight / 50 if "row" in action and is_odd_one(action["card"]) else weight


class Repeaters(Planners):
    """Players who let letters, colours and ranks alternate, and lengthen these branches."""

    def places(self, branches: list[Any]) -> set[tuple[int, int]]:
        found = set()
        for branch in branches:
            if self.wants(branch["law"][-1]):
                step = STEPS[branch["axis"]]
                for by in (-2, -1, branch["size"], branch["size"] + 1):
                    found.add((branch["row"] + by * step[0], branch["column"] + by * step[1]))
        return found

    def wants(self, action: Any) -> bool:
        features = {"letter", "colour", "rank"}
        return action["pattern"] == "alternates" and action["feature"] in features


class Innovators(Repeaters):
    """Players who claim clauses of version 2 alone, and lengthen and narrow these branches."""

    PATTERNS: ClassVar = {
        *("never_falls", "never_rises", "peaks", "dips", "adds_to", "doubles", "sum_of_two"),
        *("cycles", "pairs", "consecutive"),
    }
    VALUES: ClassVar = {
        *("cube", "composite", "dice", "suit", "letter_value"),
        *("prime", "square", "multiple of 3"),
    }

    def wants(self, action: Any) -> bool:
        return action["pattern"] in self.PATTERNS or action["value"] in self.VALUES


def is_odd_one(card: str) -> bool:
    """Whether a card is a face or shows a vowel or a rare letter."""
    shown = DECK.get(card)
    return bool(
        shown
        and (
            shown["number"] is None
            or shown["letter_value"] != 1
            or shown["letter"] in {0, 4, 8, 14, 20}
        )
    )


def gaps(branches: list[Any]) -> set[tuple[int, int]]:
    """The places between two branches in the same row or column that are not far apart."""
    lines: dict[Any, set[int]] = {}
    for branch in branches:
        is_row = branch["axis"] == "across"
        key = branch["axis"], branch["row" if is_row else "column"]
        first = branch["column" if is_row else "row"]
        lines.setdefault(key, set()).update(range(first, first + branch["size"]))
    found = set()
    for (axis, line), parts in lines.items():
        for at in range(min(parts), max(parts)):
            is_near = [any(at + way * k in parts for k in range(1, 5)) for way in (-1, 1)]
            if at not in parts and all(is_near):
                found.add((line, at) if axis == "across" else (at, line))
    return found


@pytest.mark.lane("referees")
@pytest.mark.parametrize("version", installed_versions(Rulebook.slug))
def test_the_engine_agrees_on_bridges(version: int, games_count: Callable[[int, int], int]) -> None:
    for seed in range(FIRST_BRIDGE, FIRST_BRIDGE + games_count(SHORT_BRIDGES, LONG_BRIDGES)):
        game = runner.refereed_game(Rulebook.slug, version, seed)
        runner.check_game(Rulebook, game, Bridgers)


def test_the_engine_agrees_on_new_clauses(games_count: Callable[[int, int], int]) -> None:
    for seed in range(games_count(SHORT_BRIDGES, LONG_BRANCHES)):
        game = runner.refereed_game(Rulebook.slug, 2, seed)
        runner.check_game(Rulebook, game, Innovators)


class Reading(NamedTuple):
    """A reading of a ruling that differs from that of the engine: a game in which it shows, and
    the methods of referee, tableau and judge by which it differs."""

    seed: int
    referee: Mapping[str, Any] = {}
    tableau: Mapping[str, Any] = {}
    judge: Mapping[str, Any] = {}
    version: int = 2
    players: type[runner.Players] = Builders

    def kind(self) -> type[Rulebook]:
        """A referee that reads the rules so."""
        kinds: dict[str, Any] = {
            "judge_kind": type("OtherJudge", (Judge,), dict(self.judge)) if self.judge else Judge,
            "tableau_kind": type("OtherTableau", (Tableau,), dict(self.tableau)),
        }
        return type("OtherReferee", (Rulebook,), kinds | dict(self.referee))

    def check(self) -> None:
        """Play the game."""
        game = runner.refereed_game(Rulebook.slug, self.version, self.seed)
        runner.check_game(self.kind(), game, self.players)


# -- misreadings ----------------------------------------------------------------------------------


def undo_once_more(self: Rulebook) -> Iterator[Any]:
    """R37: the last card may be taken back once more than all cards."""
    yield from Rulebook.ways_back(self)
    if self.trial.taken_back == self.most_taken_back:
        yield {"type": "duel_of_law.undo"}


def may_be_any(self: Judge, column: Column) -> bool:
    """Face cards may lie along numbers."""
    return True


def any_sequence(self: Judge, clause: Clause, line: list[Cell]) -> bool:
    """Values that come nowhere in a sequence may be laid."""
    return True


def start_at_the_end(self: Judge, clause: Clause, line: list[Cell], column: Column) -> bool:
    """A line with a start does not grow there, not even by whole rounds."""
    if clause.pattern != "starts":
        return Judge.is_open_to(self, clause, line, column)
    return start_value(clause) in column[-1 if clause.is_backward else 0]


def narrow_what_three_follow(self: Judge, law: Law, clause: Clause) -> bool:
    """In version 1, too, a law that no line of three regular cards can follow is not narrowed."""
    return self.has_short_line(law) and Judge.is_new(self, law, clause)


def stay(self: Rulebook) -> None:
    """Nobody wins at the end of a turn in which no card is laid."""


def no_limits(feature: str) -> Limits:
    """None."""
    return Limits(None, None)


def become_pairs(self: Judge, clause: Clause, line: list[Cell], *, is_open: bool) -> bool:
    """Whether a line can be lengthened to pairs if each joker is one value."""
    values = ALL_VALUES.get(clause.base, COURSES["dice"])
    column = tuple(values if is_open and is_joker(c) else c[clause.base] for c in line)
    return lowest_solution([PARTS["pairs"](clause, no_limits)], column) is not None


def pairs_as_they_are(self: Judge, clause: Clause, line: list[Cell]) -> bool:
    """R25, R26: along pairs a joker keeps the values that it has."""
    return become_pairs(self, clause, line, is_open=False)


def one_value_along_pairs(self: Judge, clause: Clause, line: list[Cell]) -> bool:
    """R36: along pairs a joker is one of them, for both its neighbours."""
    return become_pairs(self, clause, line, is_open=True)


def across_first(self: Rulebook, axis: str) -> list[Line]:
    """The line along the cards laid comes last."""
    along, *across = Rulebook.lines(self, axis)
    return [*across, along]


def narrow_own(self: Rulebook, line: Line) -> bool:
    """A player may narrow the law of a branch of their own."""
    return self.tableau.merged(line) is None or bool(self.claims(line))


def older_on_top(one: Branch, two: Branch) -> Branch:
    """Of equal stacks that of the younger branch goes under."""
    under, over = sorted((one, two), key=lambda branch: (len(branch.stack), -branch.age))
    kept = tuple(token for token in under.stack if token[1] not in over.law)
    return replace(over, stack=kept + over.stack)


def keep_twins(one: Branch, two: Branch) -> Branch:
    """A clause that both laws have stays twice."""
    under, over = sorted((one, two), key=lambda branch: (len(branch.stack), branch.age))
    return replace(over, stack=under.stack + over.stack)


def fix_lowest(self: Judge, clauses: list[Clause], domain: Domain, lowest: Value) -> Domain:
    """Every clause fixes the values of jokers."""
    return (lowest,)


def fix_nothing(self: Judge, clauses: list[Clause], domain: Domain, lowest: Value) -> Domain:
    """No clause fixes a value that it does not need."""
    singles = [clause for clause in clauses if clause.pattern == "is"]
    return Judge.left(self, singles, domain, lowest)


def highest(self: Judge, law: Law, base: str, column: Column) -> tuple[Value, ...] | None:
    """Jokers get the highest values."""
    reverse = tuple(domain[::-1] for domain in column)
    return next(solutions(self.checks(law)[base], reverse), None)


def no_restart(self: Judge, law: Law, feature: str) -> Limits:
    """A course never starts again."""
    return Limits(None, None)


def straight_steps(clause: Clause, limits: LimitsOf) -> Check:
    """Steps do not wrap around."""
    step = int(clause.value) * (1 if clause.pattern == "rises_by" else -1)
    return neighbours(clause.feature, lambda one, two: two - one == step)


def y_is_a_vowel(clause: Clause, limits: LimitsOf) -> Check:
    """Y is a vowel."""
    if clause.feature != "vowel":
        return check_is(clause, limits)
    is_vowel = clause.value == "vowel"
    return one_by_one(lambda letter: (shown("letter", letter) in list("AEIOUY")) == is_vowel)


def zero_is_no_square(clause: Clause, limits: LimitsOf) -> Check:
    """Zero is no square."""
    check = check_is(clause, limits)
    return lambda i, n, line: check(i, n, line) and not (clause.value == "square" and not line[i])


def any_parity(clause: Clause, limits: LimitsOf) -> Check:
    """Values that alternate may be equal."""
    check = PATTERNS["alternates"](clause, limits)
    return lambda i, n, line: (
        check(i, n, line) or len({shown(clause.feature, v) for v in line}) == 1
    )


def same_direction(self: Judge, going: Clause, start: Clause) -> bool:
    """A start has the direction of its course."""
    return Judge.goes_on(self, going, start) and not start.is_backward


def several_starts(self: Judge, law: Law, clause: Clause) -> bool:
    """A law may have several starts."""
    return any(self.goes_on(c, clause) for c in law)


def open_view(self: Rulebook, viewer: runner.Viewer) -> dict[str, Any]:
    """All see how many cards were laid in a turn in progress."""
    sizes = [len(hand) for hand in self.hands]
    return Rulebook.view(self, viewer) | {"hand_sizes": sizes}


def lay_any_letters(self: Judge, column: Column) -> bool:
    """Letters that no word contains may be laid."""
    return True


def lead_of_one(self: Rulebook) -> list[int]:
    """Branches count twice, so a lead of one is enough."""
    return [2 * count for count in self.tableau.owned(self.seats)]


def win_at_once(self: Rulebook) -> None:
    """The turn that empties a hand can win."""
    options, self.options = self.options, {**self.options, "end": "at_once"}
    Rulebook.check_win(self)
    self.options = options


def draw_five(self: Rulebook, number: int, seen: runner.Seen) -> None:
    """Six cards are drawn only while the deck has six."""
    if self.deck >= number:
        Rulebook.draw(self, number, seen)


def lay_any_pairs(self: Judge, clause: Clause, line: list[Cell]) -> bool:
    """Values that can no longer be pairs may be laid."""
    return True


def cycle_once(clause: Clause, limits: LimitsOf) -> Check:
    """A cycle need not have begun again."""
    check = PARTS["cycles"](clause, limits)
    return lambda i, n, line: n >= int(clause.value) and check(i, n, line)


def cycle_of_numbers(clause: Clause, limits: LimitsOf) -> Check:
    """Face cards have no part in cycles."""
    check = PATTERNS["cycles"](clause, limits)
    return lambda i, n, line: counted(clause.feature, line[i]) is not None and check(i, n, line)


def begin_again(clause: Clause, limits: LimitsOf) -> Check:
    """Values that never fall may begin again at 0 after 9."""
    return neighbours(clause.feature, lambda one, two: two >= one or one == 9)


def rise_again(clause: Clause, limits: LimitsOf) -> Check:
    """Values up to a peak may start again."""
    check = PATTERNS["peaks"](clause, limits)
    return lambda i, n, line: check(i, n, line) or (i > 0 and line[i - 1] == 9)


def end_of_sequence(clause: Clause, limits: LimitsOf) -> Check:
    """After the last member no other one follows."""
    last = sequence(clause.feature, clause.value)[0][-1]
    check = PATTERNS["consecutive"](clause, limits)
    ends = slice(1, None) if clause.is_backward else slice(-1)
    return lambda i, n, line: check(i, n, line) and last not in line[: i + 1][ends]


def lines_of_three(self: Judge, law: Law) -> range:
    """Longer lines show nothing new."""
    return range(3, 4)


def sums_of_equal_values(self: Judge) -> Law:
    """Neighbours may add up to twice the greatest value."""
    return (*catalogue(2), Clause("rank", "adds_to", "18"), Clause("letter_value", "adds_to", "2"))


def peaks_of_letters(self: Judge) -> Law:
    """Letters have peaks."""
    return (*catalogue(2), Clause("letter", "peaks"))


def pattern(**patterns: Any) -> dict[str, Any]:
    """A judge who reads some patterns otherwise."""
    return {"patterns": {**PATTERNS, **patterns}}


def first_version(self: Judge) -> Law:
    """All clauses of version 1."""
    return catalogue(1)


def new_unless_said(self: Judge, law: Law, clause: Clause) -> bool:
    """Every other clause says something new."""
    return True


MISREADINGS: Final[Mapping[str, Reading]] = {
    "R10 one may narrow one's own branch": Reading(0, referee={"is_asked": narrow_own}),
    "R12 every clause is new": Reading(2, judge={"is_new": new_unless_said}),
    "R15 steps do not wrap": Reading(
        0, judge=pattern(rises_by=straight_steps, falls_by=straight_steps)
    ),
    "R12 no start that three cards cannot follow": Reading(
        209, judge={"is_new": narrow_what_three_follow}, version=1, players=Starters
    ),
    "R17 a course never starts again": Reading(0, judge={"limits": no_restart}),
    "R19 a start goes forward": Reading(2, judge={"goes_on": same_direction}),
    "R19 several starts": Reading(12, judge={"may_start": several_starts}, players=Repeaters),
    "R19 no whole rounds before a start": Reading(1, judge={"is_open_to": start_at_the_end}),
    "R22 the older stack on top": Reading(
        1, tableau={"join": staticmethod(older_on_top)}, players=Bridgers
    ),
    "R22 equal clauses stay twice": Reading(
        1, tableau={"join": staticmethod(keep_twins)}, players=Bridgers
    ),
    "R26 every clause fixes jokers": Reading(6, judge={"left": fix_lowest}),
    "R29 a lead of one": Reading(0, referee={"owned": lead_of_one}),
    "R30 always at once": Reading(0, referee={"check_win": win_at_once}),
    "R30 only who lays cards": Reading(
        0, referee={"check_win_without_cards": stay}, players=Waiters
    ),
    "R31 six cards or none": Reading(0, referee={"draw": draw_five}, players=Idlers),
    "R36 the line along comes last": Reading(0, referee={"lines": across_first}),
    "R36 a joker is one value along pairs": Reading(
        39, judge={"may_become_pairs": one_value_along_pairs}, players=Innovators
    ),
    "R36 a joker keeps its values along pairs": Reading(
        36, judge={"may_become_pairs": pairs_as_they_are}
    ),
    "R36 any card along a palindrome of numbers": Reading(
        97, judge={"may_be_mirrored": may_be_any}
    ),
    "R36 any card along a sequence": Reading(35, judge={"may_become_sequence": any_sequence}),
    "R36 any letters": Reading(1, judge={"is_in_a_word": lay_any_letters}),
    "R37 the last card once more": Reading(
        0, referee={"ways_back": undo_once_more}, players=Waverers
    ),
    "R37 twice": Reading(0, referee={"most_taken_back": 2}, players=runner.Players),
    "R38 all see cards being laid": Reading(0, referee={"view": open_view}),
    "R41 Y is a vowel": Reading(4, judge=pattern(**{"is": y_is_a_vowel})),
    "R41 zero is no square": Reading(1, judge=pattern(**{"is": zero_is_no_square})),
    "R42 equal values alternate": Reading(0, judge=pattern(alternates=any_parity)),
    "R44 jokers stay open": Reading(0, judge={"left": fix_nothing}),
    "R44 the highest values": Reading(1, judge={"lowest": highest}),
    "R12 lines of three": Reading(3, judge={"sizes": lines_of_three}, players=Innovators),
    "R20 faces do not cycle": Reading(
        1, judge=pattern(cycles=cycle_of_numbers), players=Innovators
    ),
    "R36 any pairs": Reading(9, judge={"may_become_pairs": lay_any_pairs}, players=Innovators),
    "R43 sums of equal values": Reading(
        0, judge={"catalogue": sums_of_equal_values}, players=Innovators
    ),
    "R45 letters have peaks": Reading(0, judge={"catalogue": peaks_of_letters}, players=Innovators),
    "R51 a cycle once": Reading(0, judge=pattern(cycles=cycle_once), players=Innovators),
    "R51 half a pair": Reading(0, judge=pattern(pairs=PARTS["pairs"]), players=Innovators),
    "R51 whole cycles and pairs of three": Reading(
        35, judge={"beginnings": {}}, players=Innovators
    ),
    "R52 never falls but begins again": Reading(
        7, judge=pattern(never_falls=begin_again), players=Innovators
    ),
    "R52 what rises is said not to fall": Reading(
        3, judge={"is_said_by_a_course": lambda self, law, clause: False}
    ),
    "R53 a sequence ends": Reading(
        1, judge=pattern(consecutive=end_of_sequence), players=Innovators
    ),
    "peaks rise again": Reading(4, judge=pattern(peaks=rise_again), players=Innovators),
    "R45 to R47 all clauses": Reading(0, judge={"catalogue": first_version}),
}


@pytest.mark.parametrize("name", MISREADINGS)
def test_a_misread_ruling_is_found(name: str) -> None:
    with pytest.raises(runner.Disagreement):
        MISREADINGS[name].check()
