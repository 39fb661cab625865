"""Which games count, in which order, and how did each end? Told by their logs alone."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

import orjson
from django.db.models import Exists, OuterRef, Q, QuerySet

from games import selectors
from games.engines.common import codec
from games.engines.common.log import BrokenLog
from games.models import Entry, Game, Player, Rating
from games.ratings.standing import Seats, Standing, standing
from games.registry import UnknownRules
from games.table.actions import Outcome
from games.table.table import Table


class Finished(NamedTuple):
    """A rated game that is over."""

    game: str
    at: datetime  # of its end
    players: tuple[str, ...]  # by seat
    standing: Standing | None  # None: it changes nothing


def finished_games(*rules: str) -> QuerySet[Game]:
    """The rated games by these rules that are over, in the order in which they count. One that was
    called off, or came here from elsewhere, has nobody to be rated."""
    players = Player.objects.filter(game=OuterRef("pk")).exclude(rated_as="")
    over = Game.objects.filter(rated=True, phase=Game.Phase.OVER, rules__in=rules)
    return over.filter(Exists(players)).order_by("at", "pk")


def uncounted(*rules: str, since: datetime | None = None) -> QuerySet[Game]:
    """Those of them that have not been counted; only among those that ended since then."""
    games = finished_games(*rules).exclude(Exists(Rating.objects.filter(game=OuterRef("pk"))))
    return games if since is None else games.filter(at__gte=since)


def not_before(at: datetime, game: str) -> Q:
    """Games, or ratings by their game, from this one on."""
    return Q(at__gt=at) | Q(at=at, pk__gte=game)


def finished(game: Game) -> Finished:
    """How it ended."""
    rows = Player.objects.filter(game=game).exclude(rated_as="").order_by("seat")
    return Finished(game.pk, game.at, tuple(rows.values_list("rated_as", flat=True)), _stand(game))


def _stand(game: Game) -> Standing | None:
    ends = _acts(game, "table.end")
    result = ends[0]["action"]["result"] if ends else None
    if result is None:
        return None
    resigned = {act["seat"] for act in _acts(game, "table.resign")}
    return standing(codec.from_json(Outcome, result), resigned, _sides(game))


def _acts(game: Game, kind: str) -> list[Any]:
    """The entries of a kind, as everybody may read them."""
    rows = Entry.objects.filter(game=game, text__contains=f'"type":"{kind}"').order_by("seq")
    acts = [orjson.loads(text) for text in rows.values_list("text", flat=True)]
    return [act for act in acts if act["action"] and act["action"].get("type") == kind]


def _sides(game: Game) -> list[Seats]:
    """Who won or lost together all the game through. Who that is the rules know; where nobody here
    knows them any more, everybody stands for themselves, which only partners would find wrong."""
    alone: list[Seats] = [(seat,) for seat in range(game.seats)]
    if game.seats == 2:
        return alone
    try:
        return _sides_throughout(game) or alone
    except (UnknownRules, BrokenLog):
        return alone


def _sides_throughout(game: Game) -> list[Seats]:
    """The same, by the rules; none if it changed."""
    (start,) = _acts(game, "table.start")
    sides = _sides_at(selectors.game_table(game.pk, start["seq"]))
    if len(sides) == game.seats:
        return sides
    later = selectors.game_tables(game.pk, start["seq"])
    return sides if all(_sides_at(table) == sides for table in later) else []


def _sides_at(table: Table) -> list[Seats]:
    assert table.state is not None
    masks = sorted({int(table.state.side(seat)) for seat in range(table.create.seats)})
    return [tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1) for mask in masks]
