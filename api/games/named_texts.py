"""The names of players in the texts of a game: in the sentences of its news, and in its labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from api.games import presenters
from games import selectors
from games.selectors import Game
from tabularium_engines.common.english_text import TITLES_ONLY
from tabularium_engines.common.names_svg import NamesSeats, readable_name, seat_look
from tabularium_engines.installed.registry import RULESETS, Ruleset


def names_of(game: Game, *, are_wanted: bool = True) -> Mapping[int, str]:
    """The names by which texts call the seats of a game; none if they are not wanted. A seat keeps
    its title if it has no player, or one whose name another seat or title has, too. No log may be
    replayed while texts call seats by names."""
    if not are_wanted:
        return TITLES_ONLY
    engine: Any = RULESETS.get(Ruleset(game.rules, game.version))
    titles = [seat_look(engine, seat)[0] for seat in range(game.seats)]
    players = selectors.players_of(game.pk)
    names = {seat: readable_name(presenters.player_name(each)) for seat, each in players.items()}
    taken = Counter(map(str.casefold, (*names.values(), *titles, presenters.NAMELESS)))
    apart = {seat: name for seat, name in names.items() if taken[name.casefold()] == 1}
    own = dict(enumerate(titles)) if isinstance(engine, NamesSeats) else {}
    return own | apart
