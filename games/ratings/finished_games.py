"""The finished rated games: which of them count, in which order, and the finish order of each, read
from their logs alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from games import selectors
from games.log_reader import PublicAction, read_actions
from games.models import Game, Player, Rating
from tabularium_engines.common import json_codec
from tabularium_engines.common.replayable_log import BrokenLog
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.projection.projection import Projection
from tabularium_log.projection.table_actions import Outcome

Side = tuple[int, ...]
SortKey = tuple[int, int]  # smaller is better


class FinishOrder(NamedTuple):
    """The sides of a game, each with its rank; equal ranks are tied."""

    sides: tuple[Side, ...]
    ranks: tuple[int, ...]


def finish_order(
    outcome: Outcome, resigned_seats: Collection[int], sides: Sequence[Side]
) -> FinishOrder | None:
    """The winners come first, regardless of their scores; then the others, by their scores if there
    are any; seats that resigned come last. Partners share a rank if the result puts them on one
    place; otherwise each seat stands alone. None: there was no opponent."""
    if len(sides) < 2:
        return None
    seats = sorted(seat for side in sides for seat in side)
    places = [_sort_key(outcome, seat, seat in resigned_seats) for seat in seats]
    if any(len({places[seat] for seat in side}) > 1 for side in sides):
        sides = [(seat,) for seat in seats]
    order = sorted(set(places))
    ranks = tuple(1 + order.index(places[side[0]]) for side in sides)
    return FinishOrder(tuple(sides), ranks)


def _sort_key(outcome: Outcome, seat: int, has_resigned: bool) -> SortKey:
    if seat in outcome.winners:
        return 0, 0
    if has_resigned or outcome.scores is None:
        return 2, 0
    return 1, -outcome.scores[seat]


class FinishedGame(NamedTuple):
    """A rated game that is over."""

    game: str
    at: datetime  # of its end
    players: tuple[str, ...]  # by seat
    finish_order: FinishOrder | None  # None: the game changes no rating


def finished_rated_games(*rules: str) -> QuerySet[Game]:
    """The finished rated games of these rulesets, in the order in which they count. A game that was
    called off or imported has no rated players, and is left out."""
    players = Player.objects.filter(game=OuterRef("pk")).exclude(rated_as="")
    games = Game.objects.filter(rated=True, phase=Game.Phase.OVER, rules__in=rules)
    return games.filter(Exists(players)).order_by("at", "pk")


def games_of_unknown_partners(rules: str) -> QuerySet[Game]:
    """The finished rated games whose sides only a ruleset knows that is not installed."""
    return finished_rated_games(rules).filter(seats__gt=2).exclude(selectors.has_installed_rules())


def uncounted_games(*rules: str, since: datetime | None = None) -> QuerySet[Game]:
    """The finished rated games not counted yet; with `since`, only those that ended since then."""
    games = finished_rated_games(*rules).exclude(Exists(Rating.objects.filter(game=OuterRef("pk"))))
    return games if since is None else games.filter(at__gte=since)


def at_or_after(at: datetime, game: str) -> Q:
    """Filter: games from this one on, in the order in which they count."""
    return Q(at__gt=at) | Q(at=at, pk__gte=game)


def load_finished_game(game: Game) -> FinishedGame:
    """The players of a game, and their finish order."""
    rows = Player.objects.filter(game=game).exclude(rated_as="").order_by("seat")
    return FinishedGame(
        game.pk, game.at, tuple(rows.values_list("rated_as", flat=True)), _finish_order_of(game)
    )


def _finish_order_of(game: Game) -> FinishOrder | None:
    ends = _actions_of_type(game, "table.end")
    result = ends[0].action["result"] if ends else None
    if result is None:
        return None
    resigned_seats = {
        each.seat for each in _actions_of_type(game, "table.resign") if each.seat is not None
    }
    return finish_order(json_codec.from_json(Outcome, result), resigned_seats, _sides_of(game))


def _actions_of_type(game: Game, kind: str) -> list[PublicAction]:
    """The public parts of all actions of a type."""
    actions = read_actions(game.pk, f'"type":"{kind}"')
    return [each for each in actions if each.action and each.action.get("type") == kind]


def _sides_of(game: Game) -> list[Side]:
    """The seats that won or lost together throughout the game. Only the rules know them; if the
    ruleset is no longer here, each seat stands alone, which is wrong only for partners."""
    single_seats: list[Side] = [(seat,) for seat in range(game.seats)]
    if game.seats == 2:
        return single_seats
    try:
        return _constant_sides_of(game) or single_seats
    except (RulesetNotInstalled, BrokenLog):
        return single_seats


def _constant_sides_of(game: Game) -> list[Side]:
    """The sides, by the rules; none if they changed during the game."""
    (start,) = _actions_of_type(game, "table.start")
    sides = _sides_at(selectors.game_projection(game.pk, start.seq))
    if len(sides) == game.seats:
        return sides
    tables = selectors.game_projections(game.pk, start.seq)
    return sides if all(_sides_at(table) == sides for table in tables) else []


def _sides_at(table: Projection) -> list[Side]:
    assert table.state is not None
    masks = sorted({int(table.state.team_of(seat)) for seat in range(table.creation.seats)})
    return [tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1) for mask in masks]
