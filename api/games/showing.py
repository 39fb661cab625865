"""How does a game look to whoever asks? As their seat sees it, never wider."""

from __future__ import annotations

from typing import Any

import orjson
from django.urls import reverse

from api.access import seats_of
from api.documents import known_time, time
from api.models import Invitation
from api.shapes import games as shapes
from api.shapes.logs import EntryView
from games import selectors
from games.engines.common import codec
from games.engines.common.codec import Json
from games.models import Game, Import, Player
from games.positions import Position
from games.selectors import Line
from games.table.entry import pointer
from games.table.table import Table


def links(game: str) -> shapes.GameLinks:
    """Where the rest of a game is."""
    names = ("game", "choice", "actions", "log", "stream", "picture", "export", "proof")
    found = {name: reverse(f"game-{name}", args=[game]) for name in names}
    return shapes.GameLinks(self=found.pop("game"), rules=reverse("rules-list"), **found)


def seats_in(mask: int) -> tuple[int, ...]:
    """The seats of a bit mask, ascending."""
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)


def summary(game: Game, seats: tuple[int, ...]) -> shapes.GameSummary:
    """A game in a list; `seats` are the caller's."""
    return shapes.GameSummary(
        id=game.pk,
        rules=game.rules,
        version=game.version,
        visibility=game.visibility,  # type: ignore[arg-type]  # one of the choices
        rated=game.rated,
        phase=game.phase,  # type: ignore[arg-type]
        seq=game.seq,
        at=known_time(game.at),
        to_act=seats_in(game.awaited),
        deadline=time(game.deadline),
        your_seats=seats,
        imported=imported(game),
        links=links(game.pk),
    )


def imported(game: Game) -> shapes.Imported | None:
    """Where the game was played, if that was not here."""
    found: Import | None = getattr(game, "imported", None)
    return None if found is None else shapes.Imported(found.key, time(found.at))


def whole(
    game: Game, position: Position, account: str | None, viewer: int | None
) -> shapes.GameView:
    """A game as `viewer` sees it, who is one of the account's seats, or nobody."""
    table = position.table
    view = table.state and table.engine.view(table.state, viewer)
    yours = seats_of(account, game.pk)
    return shapes.GameView(
        id=game.pk,
        rules=table.create.rules,
        version=table.create.version,
        visibility=game.visibility,  # type: ignore[arg-type]  # one of the choices
        rated=table.create.rated,
        phase=table.phase,
        options=table.create.options,
        clock=table.create.clock,
        origin=table.create.origin,
        imported=imported(game),
        fairness_level=table.level,
        commitment=table.create.commitment,
        seq=table.seq,
        hash=position.hash,
        at=table.entry.at,
        seats=_seats(table, yours),
        your_seats=tuple(yours),
        to_act=seats_in(table.awaited),
        deadline=time(table.deadline),
        result=table.outcome,
        view=codec.to_json(view) if view else None,
        choice=choice(table, viewer),
        links=links(game.pk),
    )


def choice(table: Table, viewer: int | None) -> shapes.ChoiceView | None:
    """What the viewer may do, if it is a seat and may do anything."""
    if viewer is None:
        return None
    offered = selectors.choice(table, viewer)
    if offered is None:
        return None
    offers = tuple(shapes.Offer(offer.action, offer.label) for offer in offered.offers)
    return shapes.ChoiceView(offered.token, offered.seat, offered.is_awaited, offers)


def entry(line: Line) -> EntryView:
    """An entry as its reader may read it."""
    public: dict[str, Json] = orjson.loads(line.text)
    return EntryView(
        seq=line.seq,
        seat=public["seat"],
        at=public["at"],
        action=_action(public["action"], line.opened),
        opened=line.opened,
        news=line.news,
        hash=line.hash,
        public=public,
    )


def _action(action: Json, opened: dict[str, Json]) -> Json:
    """The action with all that was opened; null if all of it is sealed."""
    if pointer("") in opened:
        return opened[pointer("")]
    if action is None:
        return None
    start = pointer("x").removesuffix("x")
    fields = {path.removeprefix(start): value for path, value in opened.items() if start in path}
    return {**action, **fields}


def _seats(table: Table, yours: list[int]) -> tuple[shapes.SeatView, ...]:
    players = Player.objects.filter(game=table.game).select_related("account")
    names = {player.seat: player.account.name for player in players if player.account}
    kept = set(
        Invitation.objects.filter(game=table.game, accepted=None).values_list("seat", flat=True)
    )
    return tuple(
        _seat(table, seat, names.get(seat), yours, kept) for seat in range(len(table.occupants))
    )


def _seat(
    table: Table, seat: int, name: str | None, yours: list[int], kept: set[int]
) -> shapes.SeatView:
    who: Any = table.occupants[seat]
    promised = who is not None and who.seed_hash is not None
    return shapes.SeatView(
        seat=seat,
        kind=("invite" if seat in kept else "open")
        if who is None
        else "bot"
        if who.bot
        else "account",
        bot=who.bot if who else None,
        name=name,
        is_you=seat in yours,
        is_awaited=table.is_awaited(seat),
        has_resigned=table.has_resigned(seat),
        seed="none" if not promised else "open" if who.seed else "promised",
    )


def seen_as(viewer: int | None) -> str:
    """As whom somebody looks, in words of the API."""
    return "onlooker" if viewer is None else f"seat:{viewer}"
