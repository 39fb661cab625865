"""Hand-built Duel of Law tables, and a scripted random number generator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import IllegalAction, Rng
from games.engines.duel_of_law import ENGINE, actions
from games.engines.duel_of_law.cards import CARD_CODES, CARD_COUNT, NO_CARD, card_code
from games.engines.duel_of_law.game_logic import DuelState
from games.engines.duel_of_law.language import clause_text, law_parser
from games.engines.duel_of_law.language.law_evaluation import holds, settle_jokers
from games.engines.duel_of_law.line_ownership import Branch
from games.engines.duel_of_law.table_state import ZONE_PILE, ZONE_TABLE
from games.engines.duel_of_law.view import View, place_code

RED, BLUE, GREEN, PURPLE = 0, 1, 2, 3
Spot = tuple[int, int]


class Script(Rng):
    """A random number generator that returns scripted draws, and then always 0."""

    def __init__(self, values: Sequence[int] = ()) -> None:
        self._values = list(values)

    def below(self, limit: i64) -> i64:
        value = self._values.pop(0) if self._values else 0
        assert 0 <= value < limit, f"{value} is written for a draw below {limit}"
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
    lying: str | Mapping[Spot, str],
    hands: Sequence[str] = ("", ""),
    claims: Iterable[tuple[str, Spot, str]] = (),
    *,
    turn: int = RED,
    deck: int | None = None,
) -> DuelState:
    """A table with these cards and hands. A claim names the axis of the line, its first place, and
    the clauses with their claimants, the oldest first: "red: dice is 2; blue: rank rises". All
    other cards are in the deck; if `deck` limits its size, the rest are in the last hand."""
    state = DuelState()
    state.record_news()
    state.init_table(len(hands))
    for spot, card in (grid(lying) if isinstance(lying, str) else lying).items():
        state.tableau.lay(CARD_CODES.index(card), place_code(*spot))
        state.zones[CARD_CODES.index(card)] = ZONE_TABLE
    for seat, hand in enumerate(hands):
        for card in hand.split():
            assert state.zones[CARD_CODES.index(card)] == ZONE_PILE, f"{card} is there twice"
            state.zones[CARD_CODES.index(card)] = seat
    for axis, first, said in claims:
        claim(state, axis, first, said)
    if deck is not None:
        for number in state.cards_in_zone(ZONE_PILE)[deck:]:
            state.zones[number] = len(hands) - 1
    state.begin_turn(turn)
    return state


def claim(state: DuelState, axis: str, first: Spot, said: str) -> None:
    """Make a line a branch with these claims."""
    tokens, law = [], []
    for part in said.split(";"):
        name, _, clause = part.strip().partition(":")
        tokens.append(("red", "blue", "green", "purple").index(name))
        law.append(number(clause))
    line = state.tableau.line(place_code(*first), ("across", "down").index(axis))
    assert holds(line.cards, vec[i64](law), state.tableau.wilds), f"{said} does not hold"
    size = len(line.cards)
    made = Branch(line.axis, line.start, size, vec[i64](law), vec[i64](tokens))
    state.tableau.put_branch(made)
    state.tableau.wilds = settle_jokers(line.cards, made.law, state.tableau.wilds)


def number(clause: str) -> int:
    """The number of a clause in written form."""
    return int(law_parser.parse_clause(clause.strip()))


# -- playing --------------------------------------------------------------------------------------


def do(state: DuelState, action: Any, *draws: int) -> list[dict[str, Any]]:
    """Apply a legal action of the seat on turn, and return the onlooker's news."""
    seat = int(state.turn)
    state.apply(seat, ENGINE.encode(state, seat, action), Script(draws))
    assert state.cards() == list(range(CARD_COUNT))
    return ENGINE.news(state, None)


def lay(state: DuelState, cards: str, first: Spot, axis: str = "across") -> None:
    """Lay cards in a line from the first place on, skipping occupied places."""
    row, column = first
    for card in cards.split():
        while state.tableau.card_at(place_code(row, column)) != NO_CARD:
            row, column = step(row, column, axis)
        place(state, card, (row, column))
        row, column = step(row, column, axis)


def place(state: DuelState, card: str, spot: Spot) -> None:
    """Lay a card; if it is not the turn's first, announce another one before it."""
    if len(state.laid) > 0:
        do(state, actions.More())
    do(state, actions.Place(card, *spot))


def step(row: int, column: int, axis: str) -> Spot:
    """The next place along the axis."""
    return (row, column + 1) if axis == "across" else (row + 1, column)


def finish(state: DuelState, *clauses: str) -> list[dict[str, Any]]:
    """Finish laying, and answer each question in order with a clause or "leave"; returns the last
    news."""
    heard = do(state, actions.Finish())
    for clause in clauses:
        heard = do(state, actions.Leave() if clause == "leave" else claiming(clause))
    return heard


def claiming(clause: str) -> actions.Claim:
    """The action that claims a clause in written form."""
    document = {"type": "duel_of_law.claim", **clause_text.clause_to_json(number(clause))}
    claimed: actions.Claim = ENGINE.action_codec.from_json(document)
    return claimed


def refused(state: DuelState, action: Any, seat: int | None = None) -> str:
    """The code with which an action is refused."""
    before = state.contents()
    try:
        ENGINE.encode(state, int(state.turn) if seat is None else seat, action)
    except IllegalAction as refusal:
        assert state.contents() == before
        return refusal.code
    raise AssertionError(f"{action} is legal")


# -- inspecting -----------------------------------------------------------------------------------


def legal(state: DuelState) -> list[Any]:
    """The legal actions of the seat on turn."""
    seat = int(state.turn)
    return [ENGINE.decode(state, seat, code) for code in state.legal_actions(seat)]


def kinds(state: DuelState) -> set[str]:
    """The kinds of the legal actions."""
    return {action.kind for action in legal(state)}


def spots(state: DuelState, card: str) -> set[Spot]:
    """The places where a card may be laid."""
    return {
        (action.row, action.column)
        for action in legal(state)
        if action.kind == "place" and action.card == card
    }


def seen(state: DuelState, seat: int | None = None) -> View:
    """The seat's view of the table."""
    return ENGINE.view(state, seat)


def hand(state: DuelState, seat: int) -> set[str]:
    """The seat's hand."""
    return {card_code(card) for card in state.cards_in_zone(seat)}


def branch(state: DuelState, axis: str, first: Spot) -> Branch:
    """The branch that begins at a place."""
    start, number = place_code(*first), ("across", "down").index(axis)
    return next(
        found for found in state.tableau.branches if found.axis == number and found.start == start
    )


def law(found: Branch) -> list[str]:
    """The clauses of a branch in written form."""
    return [clause_text.clause_to_text(clause) for clause in found.law]


def tokens(found: Branch) -> list[int]:
    """The seats whose tokens lie on a branch, from bottom to top."""
    return [int(seat) for seat in found.tokens]
