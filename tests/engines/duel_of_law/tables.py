"""Hand-built Duel of Law tables, and a scripted random number generator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import IllegalAction, Rng
from tabularium_engines.duel_of_law import ENGINES, actions
from tabularium_engines.duel_of_law.card_zones import ZONE_PILE, ZONE_TABLE
from tabularium_engines.duel_of_law.cards import CARD_CODES, CARD_COUNT, NO_CARD, card_code
from tabularium_engines.duel_of_law.engine import DuelOfLawEngine
from tabularium_engines.duel_of_law.game_logic import DuelState
from tabularium_engines.duel_of_law.laws import clause_codes
from tabularium_engines.duel_of_law.laws.joker_solver import holds, settle_jokers
from tabularium_engines.duel_of_law.rulings import FIRST_RULINGS, Rulings
from tabularium_engines.duel_of_law.tableau import Branch, place_at
from tabularium_engines.duel_of_law.view import View
from tests.engines.duel_of_law import law_parser

FIRST, SECOND = ENGINES
RED, BLUE, GREEN, PURPLE = 0, 1, 2, 3
Spot = tuple[int, int]


class ScriptedRng(Rng):
    """A random number generator that returns scripted draws, and then always 0."""

    def __init__(self, values: Sequence[int] = ()) -> None:
        self._values = list(values)

    def below(self, limit: i64) -> i64:
        value = self._values.pop(0) if self._values else 0
        assert 0 <= value < limit, f"{value} is scripted for a draw below {limit}"
        return value


def grid(rows: str) -> dict[Spot, str]:
    """Cards by row and column, from a drawing: one line for a row, one word for a place, "." for an
    empty place. The first place is in row 0, column 0."""
    return {
        (row, column): card
        for row, line in enumerate(rows.strip().splitlines())
        for column, card in enumerate(line.split())
        if card != "."
    }


def table(
    cards: str | Mapping[Spot, str],
    hands: Sequence[str] = ("", ""),
    claims: Iterable[tuple[str, Spot, str]] = (),
    *,
    turn: int = RED,
    deck: int | None = None,
    rulings: Rulings = FIRST_RULINGS,
) -> DuelState:
    """A table with these cards and hands. A claim names the axis of the line, its first place, and
    the clauses with their claimants, the oldest first: "red: dice is 2; blue: rank rises". All
    other cards are in the deck; if `deck` limits its size, the rest are in the last hand."""
    state = DuelState()
    state.record_news()
    state.init_table(len(hands), rulings)
    zones = state.zones
    for spot, card in (grid(cards) if isinstance(cards, str) else cards).items():
        state.turn.tableau.lay(CARD_CODES.index(card), place_at(*spot))
        zones.zone_of[CARD_CODES.index(card)] = ZONE_TABLE
    for seat, hand in enumerate(hands):
        for card in hand.split():
            assert state.zones.zone_of[CARD_CODES.index(card)] == ZONE_PILE, (
                f"{card} is there twice"
            )
            state.zones.zone_of[CARD_CODES.index(card)] = seat
    for axis, first, claims_text in claims:
        add_claim(state, axis, first, claims_text)
    if deck is not None:
        for number in zones.cards(ZONE_PILE)[deck:]:
            zones.zone_of[number] = len(hands) - 1
    state.begin_turn(turn)
    return state


def add_claim(state: DuelState, axis: str, first: Spot, claims_text: str) -> None:
    """Make a line a branch with these claims."""
    seats, codes = [], []
    for claim_text in claims_text.split(";"):
        seat_name, _, clause = claim_text.strip().partition(":")
        seats.append(("red", "blue", "green", "purple").index(seat_name))
        codes.append(clause_code(clause))
    tableau = state.turn.tableau
    line = tableau.line(place_at(*first), ("across", "down").index(axis))
    assert holds(line.cards, vec[i64](codes), tableau.wilds), f"{claims_text} does not hold"
    size = len(line.cards)
    new_branch = Branch(line.axis, line.start, size, vec[i64](codes), vec[i64](seats))
    tableau.put_branch(new_branch)
    tableau.wilds = settle_jokers(line.cards, new_branch.law, tableau.wilds)


def clause_code(clause: str) -> int:
    """The code of a clause in written form."""
    return int(law_parser.parse_clause(clause.strip()))


def engine_of(state: DuelState) -> DuelOfLawEngine:
    """The engine of the version that a table plays."""
    return SECOND if state.turn.rulings.may_undo else FIRST


# -- playing --------------------------------------------------------------------------------------


def do(state: DuelState, action: Any, *draws: int) -> list[dict[str, Any]]:
    """Apply a legal action of the seat on turn, and return the onlooker's news."""
    seat = int(state.turn.seat)
    state.apply(seat, engine_of(state).encode(state, seat, action), ScriptedRng(draws))
    assert state.cards() == list(range(CARD_COUNT))
    return engine_of(state).news(state, None)


def lay(state: DuelState, cards: str, first: Spot, axis: str = "across") -> None:
    """Lay cards in a line from the first place on, skipping occupied places."""
    row, column = first
    for card in cards.split():
        while state.turn.tableau.card_at(place_at(row, column)) != NO_CARD:
            row, column = next_spot(row, column, axis)
        place(state, card, (row, column))
        row, column = next_spot(row, column, axis)


def place(state: DuelState, card: str, spot: Spot) -> None:
    """Lay a card; announce it first unless it is the first of the turn."""
    if len(state.turn.laid) > 0:
        do(state, actions.More())
    do(state, actions.Place(card, *spot))


def next_spot(row: int, column: int, axis: str) -> Spot:
    """The next place along the axis."""
    return (row, column + 1) if axis == "across" else (row + 1, column)


def finish(state: DuelState, *clauses: str) -> list[dict[str, Any]]:
    """Finish laying, and answer each question in order with a clause or "leave"; the last news."""
    news = do(state, actions.Finish())
    for clause in clauses:
        news = do(state, actions.Leave() if clause == "leave" else claim_action(clause))
    return news


def claim_action(clause: str) -> dict[str, str]:
    """The document that claims a clause in written form, in each version."""
    return {"type": "duel_of_law.claim", **clause_codes.clause_fields(clause_code(clause))}


def refusal_code(state: DuelState, action: Any, seat: int | None = None) -> str:
    """The code of the refusal of an action."""
    contents_before = state.contents()
    try:
        engine_of(state).encode(state, int(state.turn.seat) if seat is None else seat, action)
    except IllegalAction as refusal:
        assert state.contents() == contents_before
        return refusal.code
    raise AssertionError(f"{action} is legal")


# -- inspecting -----------------------------------------------------------------------------------


def legal_actions(state: DuelState) -> list[Any]:
    """The legal actions of the seat on turn."""
    seat = int(state.turn.seat)
    return [engine_of(state).decode(state, seat, code) for code in state.legal_actions(seat)]


def legal_kinds(state: DuelState) -> set[str]:
    """The kinds of the legal actions."""
    return {action.kind for action in legal_actions(state)}


def legal_spots(state: DuelState, card: str) -> set[Spot]:
    """The places where a card may be laid."""
    return {
        (action.row, action.column)
        for action in legal_actions(state)
        if action.kind == "place" and action.card == card
    }


def view_of(state: DuelState, seat: int | None = None) -> View:
    """The seat's view of the table."""
    return engine_of(state).view(state, seat)


def hand(state: DuelState, seat: int) -> set[str]:
    """The seat's hand."""
    return {card_code(card) for card in state.zones.cards(seat)}


def branch(state: DuelState, axis: str, first: Spot) -> Branch:
    """The branch that begins at a place."""
    start, axis_number = place_at(*first), ("across", "down").index(axis)
    return next(
        line_branch
        for line_branch in state.turn.tableau.branches
        if line_branch.axis == axis_number and line_branch.start == start
    )


def clause_texts(line_branch: Branch) -> list[str]:
    """The clauses of a branch in written form."""
    return [law_parser.clause_to_text(clause) for clause in line_branch.law]


def tokens(line_branch: Branch) -> list[int]:
    """The seats whose tokens lie on a branch, from bottom to top."""
    return [int(seat) for seat in line_branch.tokens]
