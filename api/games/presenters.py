"""Presenters of games: they build the shapes of games, choices and entries for the caller, never
showing more than the caller's seat may see."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, NamedTuple

import orjson
from django.urls import reverse

from api.api_level import API_LEVEL
from api.content_encoding import content_tag
from api.models import Invitation
from api.ruleset_types import typed, typed_news
from api.shape_responses import format_optional_time, format_required_time
from api.shapes import games as shapes
from api.shapes.logs import EntryView
from games import selectors, services
from games.position_cache import Position
from games.selectors import Game, Import, KeptSeat, SeatedPlayer, VisibleEntry
from tabularium_engines.common.consequences import Offer
from tabularium_engines.common.json_codec import Json
from tabularium_engines.common.names_svg import seat_look
from tabularium_engines.installed import registry
from tabularium_engines.installed.registry import Ruleset
from tabularium_log.audit.export_format import VIEWER_EVERYTHING
from tabularium_log.projection.entry import action_pointer
from tabularium_log.projection.open_proposals import OpenProposal, open_proposal
from tabularium_log.projection.projection import Occupant, Projection
from tabularium_log.projection.table_actions import Create

NAMELESS: Final = "no name"  # of an account without a name, in pictures
PENDING_INVITATIONS: Final = Invitation.objects.filter(accepted=None)


def game_links(game: str) -> shapes.GameLinks:
    """The links of a game."""
    names = ("game", "choice", "actions", "log", "stream", "picture", "export", "proof")
    urls = {name: reverse(f"game-{name}", args=[game]) for name in names}
    return shapes.GameLinks(self=urls.pop("game"), rules=reverse("rules-list"), **urls)


def import_info(import_game: Import | None) -> shapes.ImportInfo | None:
    """The origin of an imported game; None if the game was played here."""
    return (
        None
        if import_game is None
        else shapes.ImportInfo(import_game.key, format_optional_time(import_game.at))
    )


def updated_at(import_game: Import | None, at: datetime) -> str:
    """The time of the last change here: of the import, if it was recorded, or of the last entry."""
    return format_required_time((import_game.at if import_game else None) or at)


def export_viewer_name(game: Game, viewer: int | None) -> str:
    """The name of the viewer for whom a game is exported: once it is over, all is open."""
    return VIEWER_EVERYTHING if game.phase == game.Phase.OVER else viewer_name(viewer)


def game_tag(
    game: Game, position: Position, account: str | None, viewer: int | None, names: bool
) -> str:
    """The ETag of a game's view: it changes with all that the view is made of, which costs less
    than to make it."""
    players = selectors.players_of(game.pk)
    row = (game.visibility, game.next_id, names)
    parts = (API_LEVEL, position.hash, viewer_name(viewer), account, players, *row)
    table = position.projection
    kept = kept_seats_at(table, account)
    return content_tag(repr((*parts, sorted(kept.items()), table.deadline)).encode())


def log_tag(game: Game, viewer: int | None, after: int, last: int, names: bool) -> str:
    """The ETag of a log's entries after `after` up to `last`: it changes with their readable fields
    (which the end of the game opens) and with the words of the news."""
    ruleset = Ruleset(game.rules, game.version)
    code = registry.ruleset_digest(*ruleset) if ruleset in registry.RULESETS else None
    parts = (API_LEVEL, game.pk, game.hash, game.phase, viewer_name(viewer), after, last)
    return content_tag(repr((*parts, names, selectors.players_of(game.pk), code)).encode())


def player_names(game: str) -> tuple[str, ...]:
    """The names of a game's players as they are called now, by seat."""
    players = sorted(selectors.players_of(game).items())
    return tuple(player_name(player) for _, player in players)


def player_name(player: SeatedPlayer) -> str:
    """The name of an account, with the bot that plays on for it, or of a bot."""
    if player.bot and not player.name:
        return player.bot
    return f"{player.name} ({player.bot})" if player.bot else player.name or NAMELESS


def pictures_tag(table: Projection, viewer: int | None, seqs: range, look: tuple[Any, ...]) -> str:
    """The ETag of the pictures after these entries: it changes with them, with their look and with
    the code that draws them."""
    creation, hashes = table.creation, selectors.entry_hashes(table.game, seqs[-1:])
    code = registry.ruleset_digest(creation.rules, creation.version)
    parts = (API_LEVEL, "pictures", table.game, hashes, viewer_name(viewer), seqs, code)
    return content_tag(repr((*parts, look)).encode())


def game_view(
    game: Game, position: Position, account: str | None, viewer: int | None
) -> shapes.GameView:
    """A game as `viewer` sees it: one of the account's seats, or None for an onlooker."""
    table = position.projection
    view = table.engine.view(table.state, viewer) if table.state else None
    rules, version = table.creation.rules, table.creation.version
    seats, import_game = _seat_views(table, account), selectors.import_of(game)
    return shapes.GameView(
        id=game.pk,
        rules=rules,
        version=version,
        visibility=game.visibility,  # type: ignore[arg-type]  # one of the choices
        phase=table.phase,
        options=typed(rules, version, "options", table.creation.options),
        **_agreed_at_creation(table.creation),
        next=game.next_id,
        imported=import_info(import_game),
        fairness_level=table.fairness_level,
        seq=table.seq,
        first=table.first,
        hash=position.hash,
        at=table.entry.at,
        updated=updated_at(import_game, datetime.fromisoformat(table.entry.at)),
        seats=seats,
        open_seats=open_seats(seats),
        your_seats=own_seats(seats),
        to_act=selectors.seats_in_mask(table.awaited_seats),
        deadline=format_optional_time(table.deadline),
        expires=format_optional_time(services.expiry(table)),
        paused_since=table.paused_at,
        proposal=proposal_view(open_proposal(table)),
        takebacks=tuple(point.seq for point in table.takeback_points if point.seat == viewer),
        ending=table.ending,
        result=table.outcome,
        view=typed(rules, version, "view", view),
        choice=choice_view(table, viewer),
        links=game_links(game.pk),
    )


def _agreed_at_creation(creation: Create) -> dict[str, Any]:
    """The members of a game that its first entry settles, and no new invitations."""
    names = ("rated", "clock", "hints", "rematch", "origin", "commitment")
    return {name: getattr(creation, name) for name in names} | {"invitations": ()}


def proposal_view(proposal: OpenProposal | None) -> shapes.ProposalView | None:
    """The open proposal of a game."""
    if proposal is None:
        return None
    masks = map(selectors.seats_in_mask, (proposal.accepted, proposal.asked))
    return shapes.ProposalView(proposal.seq, proposal.seat, proposal.of, proposal.to, *masks)


def choice_view(table: Projection, viewer: int | None) -> shapes.ChoiceView | None:
    """The choice of the viewer; None if it is no seat or may not act."""
    if viewer is None:
        return None
    choice = selectors.seat_choice(table, viewer, has_foresight=True)
    if choice is None:
        return None
    rules = table.creation.rules
    offers = tuple(
        [offer if offer.after is None else offer_view(rules, offer) for offer in choice.offers]
    )
    forms = tuple(shapes.FormView(**vars(form)) for form in choice.forms)
    return shapes.ChoiceView(choice.token, choice.seat, choice.is_awaited, offers, forms)


def offer_view(rules: str, offer: Offer) -> Offer:
    """An offer whose news name their types."""
    after = offer.after
    if after is None or not after.news:
        return offer
    return Offer(offer.action, offer.label, replace(after, news=typed_news(rules, after.news)))


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


def open_seats(seats: Iterable[shapes.SeatView | shapes.ListedSeat]) -> tuple[int, ...]:
    """The seats that the first to join may take."""
    return tuple(seat.seat for seat in seats if seat.kind == "open")


def own_seats(seats: Iterable[shapes.SeatView | shapes.ListedSeat]) -> tuple[int, ...]:
    """The seats that the caller plays."""
    return tuple(seat.seat for seat in seats if seat.is_you)


def _seat_views(table: Projection, account: str | None) -> tuple[shapes.SeatView, ...]:
    players = selectors.players_of(table.game)
    kept = kept_seats_at(table, account)
    return tuple(
        _seat_view(
            table,
            listed_seat(seat, _seated(occupant, players.get(seat)), account, kept.get(seat)),
        )
        for seat, occupant in enumerate(table.occupants)
    )


def _seated(occupant: Occupant | None, player: SeatedPlayer | None) -> SeatedPlayer | None:
    """The player on a seat as the log has it, which may be ahead of the players' rows."""
    if occupant is None:
        return None
    if player is None:
        return SeatedPlayer(None, None, occupant.bot or "", is_deleted=False)
    return player._replace(bot=occupant.bot or "")


class FreeSeat(NamedTuple):
    """A free seat as the caller sees it, and the account for which it is kept."""

    kind: shapes.SeatKind
    account: str | None = None
    name: str | None = None


def kept_seats(games: Collection[str], account: str | None) -> dict[str, dict[int, FreeSeat]]:
    """The seats that an invitation or a challenge keeps free, by game and seat. Whom a challenge is
    for, the account sees if it is that one, or owns the game."""
    free_seats: dict[str, dict[int, FreeSeat]] = {}
    for game, kept in selectors.kept_seats_of(games).items():
        free_seats[game] = {
            seat: _challenged_seat(challenge, account) for seat, challenge in kept.items()
        }
    invitations = PENDING_INVITATIONS.filter(game__in=games)
    for game, seat in invitations.values_list("game", "seat"):
        free_seats.setdefault(game, {})[seat] = FreeSeat("invite")
    return free_seats


def kept_seats_at(table: Projection, account: str | None) -> dict[int, FreeSeat]:
    """The same for one table: there are none once each seat is taken."""
    return kept_seats([table.game], account).get(table.game, {}) if table.free_seats else {}


def _challenged_seat(kept: KeptSeat, account: str | None) -> FreeSeat:
    kind: shapes.SeatKind = "declined" if kept.has_declined else "challenge"
    if account is None or account not in (kept.account, kept.owner):
        return FreeSeat(kind)
    return FreeSeat(kind, kept.account, kept.name)


def listed_seat(
    seat: int, player: SeatedPlayer | None, account: str | None, free_seat: FreeSeat | None
) -> shapes.ListedSeat:
    """A seat, with its player (None: it is free, for all or as a `free_seat`) as `account` sees
    it."""
    if player is None:
        kind, challenged, name = free_seat or FreeSeat("open")
        return shapes.ListedSeat(
            seat, kind, challenged, bot=None, name=name, is_deleted=False, is_you=False
        )
    return shapes.ListedSeat(
        seat,
        "bot" if player.bot else "account",
        player.account,
        player.bot or None,
        player.name,
        is_deleted=player.is_deleted,
        is_you=account is not None and player.account == account and not player.bot,
    )


def _seat_view(table: Projection, seat: shapes.ListedSeat) -> shapes.SeatView:
    occupant = table.occupants[seat.seat]
    title, hue = seat_look(table.engine, seat.seat)
    return shapes.SeatView(
        **vars(seat),
        is_awaited=table.is_awaited(seat.seat),
        has_resigned=table.has_resigned(seat.seat),
        seed="none"
        if occupant is None or occupant.seed_hash is None
        else "open"
        if occupant.seed
        else "promised",
        title=title,
        hue=hue,
    )


def viewer_name(viewer: int | None) -> str:
    """The viewer, as the API names it."""
    return "onlooker" if viewer is None else f"seat:{viewer}"
