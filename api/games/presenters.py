"""Presenters of games: they build the shapes of games, choices and entries for the caller, never
showing more than the caller's seat may see."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
from django.urls import reverse

from api.api_level import API_LEVEL
from api.content_encoding import content_tag
from api.models import Invitation
from api.ruleset_types import typed, typed_news
from api.shape_responses import format_optional_time, format_required_time
from api.shapes import games as shapes
from api.shapes.logs import EntryView
from games import registry, selectors
from games.engines.common.json_codec import Json
from games.position_cache import Position
from games.projection.entry import action_pointer
from games.projection.projection import Projection
from games.registry import Ruleset
from games.selectors import Game, Offer, VisibleEntry


def game_links(game: str) -> shapes.GameLinks:
    """The links of a game."""
    names = ("game", "choice", "actions", "log", "stream", "picture", "export", "proof")
    urls = {name: reverse(f"game-{name}", args=[game]) for name in names}
    return shapes.GameLinks(self=urls.pop("game"), rules=reverse("rules-list"), **urls)


def seats_in_mask(mask: int) -> tuple[int, ...]:
    """The seats of a bit mask, ascending."""
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)


def game_summary(game: Game, seats: tuple[int, ...]) -> shapes.GameSummary:
    """A game in a list; `seats` are the caller's."""
    return shapes.GameSummary(
        id=game.pk,
        rules=game.rules,
        version=game.version,
        visibility=game.visibility,  # type: ignore[arg-type]  # one of the choices
        rated=game.rated,
        phase=game.phase,  # type: ignore[arg-type]
        seq=game.seq,
        at=format_required_time(game.at),
        to_act=seats_in_mask(game.awaited),
        deadline=format_optional_time(game.deadline),
        your_seats=seats,
        imported=import_info(game),
        links=game_links(game.pk),
    )


def import_info(game: Game) -> shapes.ImportInfo | None:
    """The origin of an imported game; None if the game was played here."""
    game_import = selectors.import_of(game)
    return (
        None
        if game_import is None
        else shapes.ImportInfo(game_import.key, format_optional_time(game_import.at))
    )


def game_tag(game: Game, position: Position, account: str | None, viewer: int | None) -> str:
    """The ETag of a game's view: it changes with all that the view is made of, which costs less
    than to make it."""
    names = sorted(selectors.account_names(game.pk).items())
    parts = (API_LEVEL, position.hash, viewer_name(viewer), account, names, game.visibility)
    table = position.projection
    return content_tag(repr((*parts, reserved_seats(game.pk), table.deadline)).encode())


def log_tag(game: Game, viewer: int | None, after: int, last: int) -> str:
    """The ETag of a log's entries after `after` up to `last`: it changes with their readable fields
    (which the end of the game opens) and with the words of the news."""
    names = sorted(selectors.account_names(game.pk).items())
    ruleset = Ruleset(game.rules, game.version)
    code = registry.ruleset_digest(*ruleset) if ruleset in registry.RULESETS else None
    parts = (API_LEVEL, game.pk, game.hash, game.phase, viewer_name(viewer), after, last)
    return content_tag(repr((*parts, names, code)).encode())


def game_view(
    game: Game, position: Position, account: str | None, viewer: int | None
) -> shapes.GameView:
    """A game as `viewer` sees it: one of the account's seats, or None for an onlooker."""
    table = position.projection
    view = table.engine.view(table.state, viewer) if table.state else None
    rules, version = table.creation.rules, table.creation.version
    own_seats = selectors.seats_of(account, game.pk)
    return shapes.GameView(
        id=game.pk,
        rules=rules,
        version=version,
        visibility=game.visibility,  # type: ignore[arg-type]  # one of the choices
        rated=table.creation.rated,
        phase=table.phase,
        options=typed(rules, version, "options", table.creation.options),
        clock=table.creation.clock,
        origin=table.creation.origin,
        imported=import_info(game),
        fairness_level=table.fairness_level,
        commitment=table.creation.commitment,
        seq=table.seq,
        hash=position.hash,
        at=table.entry.at,
        seats=_seat_views(table, own_seats),
        your_seats=tuple(own_seats),
        to_act=seats_in_mask(table.awaited_seats),
        deadline=format_optional_time(table.deadline),
        result=table.outcome,
        view=typed(rules, version, "view", view),
        choice=choice_view(table, viewer),
        links=game_links(game.pk),
    )


def choice_view(table: Projection, viewer: int | None) -> shapes.ChoiceView | None:
    """The choice of the viewer; None if it is no seat or may not act."""
    if viewer is None:
        return None
    choice = selectors.seat_choice(table, viewer, has_foresight=True)
    if choice is None:
        return None
    offers = tuple(_offer(table.creation.rules, offer) for offer in choice.offers)
    return shapes.ChoiceView(choice.token, choice.seat, choice.is_awaited, offers)


def _offer(rules: str, offer: Offer) -> shapes.Offer:
    after = offer.after
    if after is not None and after.news:
        after = replace(after, news=typed_news(rules, after.news))
    return shapes.Offer(offer.action, offer.label, after)


def entry_view(line: VisibleEntry) -> EntryView:
    """An entry as its reader may read it."""
    public: dict[str, Json] = orjson.loads(line.text)
    return EntryView(
        seq=line.seq,
        seat=public["seat"],
        at=public["at"],
        action=_readable_action(public["action"], line.readable_fields),
        opened=line.readable_fields,
        news=None if line.news is None else typed_news(line.rules, line.news),
        hash=line.hash,
        public=public,
    )


def _readable_action(action: Json, readable_fields: dict[str, Json]) -> Json:
    """The action with all readable fields; None if it is sealed as a whole."""
    if action_pointer("") in readable_fields:
        return readable_fields[action_pointer("")]
    if action is None:
        return None
    prefix = action_pointer("x").removesuffix("x")
    fields = {
        path.removeprefix(prefix): value
        for path, value in readable_fields.items()
        if prefix in path
    }
    return {**action, **fields}


def _seat_views(table: Projection, own_seats: list[int]) -> tuple[shapes.SeatView, ...]:
    names = selectors.account_names(table.game)
    reserved = reserved_seats(table.game)
    return tuple(
        _seat_view(table, seat, names, own_seats, reserved) for seat in range(len(table.occupants))
    )


def reserved_seats(game: str) -> list[int]:
    """The seats that an invitation keeps free, ascending."""
    invitations = Invitation.objects.filter(game=game, accepted=None)
    return list(invitations.order_by("seat").values_list("seat", flat=True))


def _seat_view(
    table: Projection,
    seat: int,
    names: dict[int, str | None],
    own_seats: list[int],
    reserved: list[int],
) -> shapes.SeatView:
    occupant: Any = table.occupants[seat]
    has_promised_seed = occupant is not None and occupant.seed_hash is not None
    return shapes.SeatView(
        seat=seat,
        kind=("invite" if seat in reserved else "open")
        if occupant is None
        else "bot"
        if occupant.bot
        else "account",
        bot=occupant.bot if occupant else None,
        name=names.get(seat),
        is_deleted=seat in names and names[seat] is None,
        is_you=seat in own_seats,
        is_awaited=table.is_awaited(seat),
        has_resigned=table.has_resigned(seat),
        seed="none" if not has_promised_seed else "open" if occupant.seed else "promised",
    )


def viewer_name(viewer: int | None) -> str:
    """The viewer, as the API names it."""
    return "onlooker" if viewer is None else f"seat:{viewer}"
