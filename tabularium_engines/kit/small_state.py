"""The state of a small game: clones, contents, cards and re-deals follow from its fields."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from mypy_extensions import i64, mypyc_attr

from tabularium_engines.base import NewsItem, Rng, State
from tabularium_engines.kit.fields import OWN, SECRET, StateField

ACTION_NEWS = "action"  # the kind of the news that an action is


@mypyc_attr(allow_interpreted_subclasses=True)
class SmallState(State):
    """The full state of a small game. A subclass declares `fields`, deals in `set_up`, and has the
    rules in `legal_actions`, `play` and `returns`."""

    fields: ClassVar[tuple[StateField, ...]] = ()

    def __init__(self) -> None:
        super().__init__()
        self.options: Any = None

    def set_up(self, rng: Rng) -> None:
        """Deal: `seats` and `options` are set, and `to_act` is to be."""
        raise NotImplementedError

    def play(self, seat: i64, action: i64, rng: Rng) -> None:
        """Apply a legal action."""
        raise NotImplementedError

    def scores(self) -> list[int]:
        """The final score of each seat: more is better."""
        return [round(100 * share) for share in self.returns()]

    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        """Apply a legal action, which all see. A game with hidden actions overrides this."""
        if self.is_recording_news:
            self.news = [NewsItem(ACTION_NEWS, seat, {"action": int(action)}, {}, 0)]
        self.play(seat, action, rng)

    def clone(self) -> Self:
        copy = type(self)()
        copy.seats, copy.to_act, copy.options = self.seats, self.to_act, self.options
        for field in self.fields:
            setattr(copy, field.name, copy_value(getattr(self, field.name), field.depth))
        return copy

    def contents(self) -> list[Any]:
        values = [copy_value(getattr(self, field.name), field.depth) for field in self.fields]
        return [int(self.seats), int(self.to_act), *values]

    def cards(self) -> list[i64]:
        found: list[i64] = []
        for field in self.fields:
            if field.is_cards:
                for zone in zones(getattr(self, field.name), field.depth):
                    found += zone
        return sorted(found)

    def determinize(self, seat: i64, rng: Rng) -> None:
        hidden = self._hidden_zones(seat) if self.to_act else []
        pool = sorted([card for zone in hidden for card in zone])
        for zone in hidden:
            for place in range(len(zone)):
                zone[place] = pool.pop(rng.below(len(pool)))
            zone.sort()

    def _hidden_zones(self, seat: i64) -> list[Any]:
        """The lists of cards that a seat does not see, in a fixed order."""
        hidden = []
        for field in self.fields:
            if field.visibility == SECRET:
                hidden.append(getattr(self, field.name))
            elif field.visibility == OWN:
                hidden += [
                    zone
                    for owner, zone in enumerate(getattr(self, field.name))
                    if owner != int(seat)
                ]
        return hidden


def copy_value(value: Any, depth: int) -> Any:
    """A copy of a field's value that shares no list with it."""
    if depth == 0:
        return int(value)
    return list(value) if depth == 1 else [list(row) for row in value]


def zones(value: Any, depth: int) -> list[Any]:
    """The lists of cards in a field's value."""
    return [value] if depth == 1 else list(value)


def draw_card(pile: list[int], rng: Rng) -> int:
    """Remove a random card from a pile."""
    return pile.pop(rng.below(len(pile)))
