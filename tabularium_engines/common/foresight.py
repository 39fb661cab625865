"""Foresight: the certain consequences of an action, which an offer tells as `after`.

The action is applied to one world, and only the news that come in every other world are kept: a
game lists the kinds of news that no hidden card decides, each with its certain facts. The first
item of another kind ends the foresight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from mypy_extensions import i64

from tabularium_engines.base import AnyEngine, NewsItem, Rng, State
from tabularium_engines.common.bits import bit
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.english_text import join_words
from tabularium_engines.common.random_generators import FastRng

SEED: Final = 1  # any world with the view will do

# The certain facts of each kind of news; None: the kind is certain, but the label says it all.
CertainFacts: TypeAlias = Mapping[str, tuple[str, ...] | None]
# How many items of the news that an action makes here are certain to come; one more than all of
# them if it is also certain that nothing else happens.
CountCertain: TypeAlias = "Callable[[Foresight, list[NewsItem]], int]"


def consequences_from_view(
    engine: AnyEngine, view: Any, seat: int, actions: Sequence[int]
) -> list[Consequences | None]:
    """The certain consequences of each of a seat's legal actions, from its view alone: equal views
    give equal worlds, so that nothing hidden shows."""
    world = engine.imagine(view, FastRng(SEED))
    return [engine.consequences(world, seat, action) for action in actions]


class NotedRng(Rng):
    """Random draws, noted: without any, nothing is left to chance."""

    def __init__(self) -> None:
        self._source: FastRng | None = None  # made for the first draw: most actions make none

    def below(self, limit: i64) -> i64:
        if self._source is None:
            self._source = FastRng(SEED)
        return self._source.below(limit)

    @property
    def has_drawn(self) -> bool:
        """Whether there was a draw."""
        return self._source is not None


class Foresight:
    """One action applied to a copy of a state, and its certain consequences."""

    def __init__(
        self,
        engine: AnyEngine,
        state: State,
        seat: int,
        action: int,
        certain: CertainFacts,
        count_certain: CountCertain | None = None,
    ) -> None:
        self.engine = engine
        self.state = state
        self.seat = seat
        self.action = action
        self.successor: State = state.clone()
        self.successor.record_news()
        rng = NotedRng()
        self.successor.apply(seat, action, rng)
        self.has_drawn: bool = rng.has_drawn
        items = self.successor.news
        limit = len(items) + 1 if count_certain is None else count_certain(self, items)
        self.news: list[dict[str, Any]] = []
        foretold = 0
        for item in items[:limit]:
            if item.kind not in certain:
                break
            foretold += 1
            facts = certain[item.kind]
            if facts is not None:
                self.news.append(self._item(item, facts))
        self.is_complete: bool = foretold == len(items) < limit  # the state is certain, too

    def _item(self, item: NewsItem, certain: Sequence[str]) -> dict[str, Any]:
        facts = item.facts_for(self.seat)
        names = ["kind", "seat", *(name for name in certain if name in facts)]
        fact = {name: facts[name] for name in names}
        return fact | {"text": self.engine.sentence(fact)}

    def score_changes(self) -> tuple[int | None, ...] | None:
        """By how much the score of each seat changes, as this seat then sees the table."""
        if not self.is_complete:
            return None
        before = self.engine.scores(self.state, self.seat)
        if not before:
            return None
        after = self.engine.scores(self.successor, self.seat)
        return tuple([now - then for now, then in zip(after, before, strict=True)])

    def winners(self) -> tuple[int, ...] | None:
        """The winners, if the game is certain to be over."""
        if not self.is_complete or self.successor.to_act != 0:
            return None
        result = self.engine.result(self.successor)
        return None if result is None else result.winners

    def to_act(self) -> tuple[int, ...] | None:
        """The seats that must act then."""
        return tuple(self.engine.awaited_seats(self.successor)) if self.is_complete else None

    def consequences(
        self,
        unit: str,
        name_of: Callable[[int], str],
        score_changes: tuple[int | None, ...] | None = None,
    ) -> Consequences | None:
        """All that is certain, with its gist in words. A game that knows more of the scores than
        the copy tells gives their changes. None if all that is certain is that this seat must act
        again."""
        changes = self.score_changes() if score_changes is None else score_changes
        is_own_move = not self.is_complete or self.successor.to_act == bit(self.seat)
        if is_own_move and not self.news and not any(changes or ()):
            return None
        winners = self.winners()
        text = gist(self.seat, winners, changes, unit, name_of)
        return Consequences(text, tuple(self.news), self.to_act(), winners, changes)


def gist(
    seat: int,
    winners: Sequence[int] | None,
    changes: Sequence[int | None] | None,
    unit: str,
    name_of: Callable[[int], str],
) -> str:
    """Winners and changes of scores in a few words: "you win", "branches +1, Red −1"."""
    found = [] if winners is None else [_winners_text(seat, winners, name_of)]
    for other in sorted(range(len(changes or ())), key=lambda each: (each != seat, each)):
        change = changes[other] if changes else None
        if change:
            whose = unit if other == seat else name_of(other)
            found.append(f"{whose} {'+' if change > 0 else '−'}{abs(change)}")
    return ", ".join(found)


def _winners_text(seat: int, winners: Sequence[int], name_of: Callable[[int], str]) -> str:
    if tuple(winners) == (seat,):
        return "you win"
    names = ["you" if winner == seat else name_of(winner) for winner in winners]
    return f"{join_words(names)} {'win' if len(names) > 1 else 'wins'}"


def with_gist(label: str, consequences: Consequences | None) -> str:
    """The label of an action, with its consequences in words."""
    if consequences is None or not consequences.text:
        return label
    return f"{label}{';' if ': ' in label else ':'} {consequences.text}"
