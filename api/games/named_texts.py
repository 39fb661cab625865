"""The names of players in the texts of a game: in the sentences of its news, and in its labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, TypeVar

from api.games import presenters
from games import selectors
from games.engines.common.english_text import seats_called
from games.engines.common.names_svg import NamesSeats, readable_name, seat_look
from games.registry import RULESETS, Ruleset
from games.selectors import Game

NOTHING: Final = object()
T = TypeVar("T")


def texts_of(game: Game, *, has_names: bool) -> AbstractContextManager[None]:
    """Within the block, texts call the game's seats by the names of their players, if these are
    wanted."""
    return seats_called(names_of(game)) if has_names else nullcontext()


def names_of(game: Game) -> dict[int, str]:
    """The names by which texts call the seats of a game. A seat keeps its title if it has no
    player, or one whose name another seat or title has, too."""
    engine: Any = RULESETS.get(Ruleset(game.rules, game.version))
    titles = [seat_look(engine, seat)[0] for seat in range(game.seats)]
    players = selectors.players_of(game.pk)
    names = {seat: readable_name(presenters.player_name(each)) for seat, each in players.items()}
    taken = Counter(map(str.casefold, (*names.values(), *titles, presenters.NAMELESS)))
    apart = {seat: name for seat, name in names.items() if taken[name.casefold()] == 1}
    own = dict(enumerate(titles)) if isinstance(engine, NamesSeats) else {}
    return own | apart


def each_within(items: Iterator[T], game: Game, *, has_names: bool) -> Iterator[T]:
    """The items of an iterator, each of which is made with these texts."""
    names = names_of(game) if has_names else {}
    while True:
        with seats_called(names):
            item = next(items, NOTHING)
        if item is NOTHING:
            return
        yield item  # type: ignore[misc]  # it is no marker
