"""The view of a small game: a dataclass that is made from the fields of its state, in which a
hidden card is null."""

from __future__ import annotations

from dataclasses import make_dataclass
from typing import Annotated, Any

from tabularium_engines.base import Rng
from tabularium_engines.common.json_codec import OneOf
from tabularium_engines.kit.fields import OWN, PUBLIC, StateField
from tabularium_engines.kit.small_state import SmallState, zones


def make_view(state_type: type[SmallState], options: type[Any], cards: tuple[str, ...]) -> Any:
    """The class of the views of these states; `cards` are the names of the cards by number, which
    the class keeps as `card_names`."""
    if not cards and any(field.is_cards for field in state_type.fields):
        raise ValueError(f"{state_type.__name__} has cards: about_game needs their names")
    hints: list[tuple[str, Any]] = [
        ("seat", int | None),
        ("seats", int),
        ("options", options),
        ("to_act", int),
    ]
    hints += [(field.name, _hint_of(field, cards)) for field in state_type.fields]
    namespace = {"__doc__": "A seat's view.", "card_names": cards}
    return make_dataclass("View", hints, frozen=True, namespace=namespace)


def _hint_of(field: StateField, cards: tuple[str, ...]) -> Any:
    hint: Any = int
    if field.is_cards:
        hint = Annotated[str, OneOf(cards)]
        if field.visibility != PUBLIC:
            hint = hint | None
    for _ in range(field.depth):
        hint = tuple[hint, ...]
    return hint


def view_of(view_type: type[Any], state: SmallState, seat: int | None) -> Any:
    """The view of a seat (None: an onlooker). Once the game is over, all cards are open."""
    cards, is_over = view_type.card_names, state.to_act == 0
    values = {
        field.name: _visible_value(field, getattr(state, field.name), seat, cards, is_over)
        for field in state.fields
    }
    return view_type(
        seat=seat, seats=int(state.seats), options=state.options, to_act=int(state.to_act), **values
    )


def _visible_value(
    field: StateField, value: Any, seat: int | None, cards: tuple[str, ...], is_over: bool
) -> Any:
    if field.depth == 0:
        return int(value)
    shown = [
        tuple(
            _name(field, card, is_over or (field.visibility == OWN and owner == seat), cards)
            for card in zone
        )
        for owner, zone in enumerate(zones(value, field.depth))
    ]
    return shown[0] if field.depth == 1 else tuple(shown)


def _name(field: StateField, card: int, is_seen: bool, cards: tuple[str, ...]) -> Any:
    if not field.is_cards:
        return int(card)
    return cards[card] if is_seen or field.visibility == PUBLIC else None


def imagine_state(state_type: type[Any], view: Any, rng: Rng) -> Any:
    """A state with this view: the cards that it does not show are dealt again."""
    state = state_type()
    state.seats, state.to_act, state.options = view.seats, view.to_act, view.options
    cards = view.card_names
    numbers = {name: number for number, name in enumerate(cards)}
    for field in state_type.fields:
        value = getattr(view, field.name)
        if field.is_cards:
            found = [[numbers.get(name, -1) for name in zone] for zone in zones(value, field.depth)]
            value = found[0] if field.depth == 1 else found
        elif field.depth == 1:
            value = list(value)
        elif field.depth == 2:
            value = [list(row) for row in value]
        setattr(state, field.name, value)
    _fill_hidden(state, len(cards))
    state.determinize(-1 if view.seat is None else view.seat, rng)
    return state


def _fill_hidden(state: SmallState, count: int) -> None:
    """Put the cards that are nowhere to be seen into the hidden places, in order."""
    seen = {int(card) for card in state.cards()}
    unseen = [card for card in range(count) if card not in seen]
    for field in state.fields:
        if field.is_cards:
            for zone in zones(getattr(state, field.name), field.depth):
                zone[:] = [unseen.pop() if card < 0 else card for card in zone]
