"""The builder of webhook deliveries: creates the notices of a game's log entries not yet announced
to its webhooks."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any, Final

import orjson
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from api.models import AnnouncedEntry, Delivery, Webhook
from api.shapes import webhooks as shapes
from games import selectors
from games.selectors import Game
from tabularium_log.projection.projection import Projection, format_time

MAX_WAITING_DELIVERIES: Final = 1000  # deliveries of one webhook
START_ACTION_TYPE: Final = "table.start"


def create_deliveries(game: str) -> list[str]:
    """Create the deliveries for a game's newest entries; returns their ids, in order.

    An entry is announced once, however often and by however many processes this is called.
    """
    announced_seq = AnnouncedEntry.objects.filter(game=game).values_list("seq", flat=True).first()
    tables = [
        table
        for table in selectors.game_projections(game, announced_seq or 0)
        if table.seq > (announced_seq or 0)
    ]
    if not tables:
        return []
    try:
        with transaction.atomic():
            _claim_entries(game, announced_seq, tables[-1].seq)
            return [delivery.pk for delivery in _insert_deliveries(game, tables)]
    except (IntegrityError, AlreadyAnnounced):
        return []


class AlreadyAnnounced(Exception):
    """Another process has announced these entries."""


def _claim_entries(game: str, announced_seq: int | None, seq: int) -> None:
    """Compare-and-set: these entries are ours to announce."""
    if announced_seq is None:
        AnnouncedEntry.objects.create(game_id=game, seq=seq)
    elif not AnnouncedEntry.objects.filter(game=game, seq=announced_seq).update(seq=seq):
        raise AlreadyAnnounced


def _insert_deliveries(game: str, tables: list[Projection]) -> list[Delivery]:
    now = timezone.now()
    subscribed = set(subscribed_webhooks(game).values_list("pk", flat=True))
    kept = selectors.challenge_masks([game]).get(game, {}) if tables[0].seq == 1 else {}
    challenged = challenged_webhooks(game).values_list("pk", flat=True) if kept else ()
    names = subscribed.union(challenged)
    deliveries = [
        build_delivery(hook, notice, now)
        for hook in _lock_webhooks(names)
        for notice in (
            *_challenge_notices(hook, tables[-1], kept.get(hook.account_id, 0)),
            *(_build_notices(hook, tables) if hook.pk in subscribed else ()),
        )
        if notice.type in hook.kinds.split() and not _disable_if_backlogged(hook)
    ]
    return Delivery.objects.bulk_create(deliveries)


def _challenge_notices(hook: Webhook, table: Projection, seats: int) -> Iterator[Any]:
    """The notices of the seats of a new game that wait for the account of a webhook."""
    if table.entry.at < format_time(hook.since):
        return
    links = _notice_links(table.game)
    for seat in selectors.seats_in_mask(seats):
        facts = shapes.ChallengeFacts(table.game, table.seq, seat, links)
        yield shapes.GameChallenge(table.entry.at, facts)


def insert_decline_deliveries(game: str, seat: int) -> list[str]:
    """Create the deliveries that inform a game's creator of a challenge that was just declined, in
    the transaction of the decline; returns their ids."""
    now, (head,) = timezone.now(), selectors.heads_of([game])
    facts = shapes.DeclinedFacts(game, head.seq, seat, _notice_links(game))
    notice = shapes.GameDeclined(format_time(now), facts)
    hooks = Webhook.objects.filter(is_enabled=True, account__created_games=game)
    deliveries = [
        build_delivery(hook, notice, now)
        for hook in _lock_webhooks(hooks.values_list("pk", flat=True))
        if notice.type in hook.kinds.split() and not _disable_if_backlogged(hook)
    ]
    return [delivery.pk for delivery in Delivery.objects.bulk_create(deliveries)]


def _lock_webhooks(names: Collection[str]) -> QuerySet[Webhook]:
    """These webhooks, locked against deletion until this transaction ends."""
    return Webhook.objects.select_for_update(no_key=True).filter(pk__in=names).order_by("pk")


def build_delivery(hook: Webhook, notice: Any, now: datetime) -> Delivery:
    """A delivery that is due at once and of which a worker is notified at once."""
    text = orjson.dumps(notice).decode()
    return Delivery(
        webhook=hook, kind=notice.type, text=text, created=now, due=now, enqueued_at=now
    )


def _disable_if_backlogged(hook: Webhook) -> bool:
    """Disable a webhook with too many deliveries waiting."""
    waiting_deliveries = Delivery.objects.filter(webhook=hook, state=Delivery.State.WAITING)
    if waiting_deliveries[:MAX_WAITING_DELIVERIES].count() < MAX_WAITING_DELIVERIES:
        return False
    disable_webhook(hook, f"It had {MAX_WAITING_DELIVERIES} waiting deliveries.")
    return True


def disable_webhook(hook: Webhook, reason: str) -> None:
    """Send nothing more to a webhook until its owner enables it again."""
    Webhook.objects.filter(pk=hook.pk).update(is_enabled=False, reason=reason)
    waiting_deliveries = Delivery.objects.filter(webhook=hook, state=Delivery.State.WAITING)
    waiting_deliveries.update(
        state=Delivery.State.FAILED, due=None, error="The webhook was disabled."
    )


def subscribed_webhooks(game: str) -> QuerySet[Webhook]:
    """The enabled webhooks of the accounts that play a game or created it."""
    webhooks = Webhook.objects.filter(is_enabled=True).filter(
        Q(account__created_games=game) | Q(account__players__game=game, account__players__bot="")
    )
    return webhooks.order_by("id").distinct()


def challenged_webhooks(game: str) -> QuerySet[Webhook]:
    """The enabled webhooks of the accounts for which a game keeps seats."""
    accounts = selectors.open_challenges().filter(game=game).values("account")
    return Webhook.objects.filter(is_enabled=True, account__in=accounts)


def has_webhooks(table: Projection) -> bool:
    """Whether any webhook may have a notice of the game's newest entries."""
    if subscribed_webhooks(table.game).exists():
        return True
    return table.phase == "gathering" and challenged_webhooks(table.game).exists()


def unannounced_games(since: datetime, before: datetime) -> QuerySet[Game]:
    """Games with unannounced entries whose last entry lies between these times. Notices contain
    news, so a game whose rules are not installed has none."""
    grown_games = selectors.games_grown_since(since).filter(
        selectors.has_installed_rules(), at__lte=before
    )
    subscribed = (
        Q(owner__webhooks__is_enabled=True)
        | Q(players__account__webhooks__is_enabled=True, players__bot="")
        | Q(challenges__account__webhooks__is_enabled=True)
    )
    return grown_games.filter(subscribed).exclude(announced__seq__gte=F("seq")).distinct()


def _build_notices(hook: Webhook, tables: list[Projection]) -> Iterator[Any]:
    """The notices of the newest entries for a webhook. They contain only public facts of the log,
    and which seats belong to the webhook's account."""
    new_tables = [table for table in tables if table.entry.at >= format_time(hook.since)]
    if not new_tables:
        return
    first_seq, last_table = new_tables[0].seq, new_tables[-1]
    at, links = last_table.entry.at, _notice_links(last_table.game)
    types = {table.entry.action["type"]: table for table in new_tables}
    if START_ACTION_TYPE in types:
        yield shapes.GameStarted(
            at, shapes.GameFacts(last_table.game, types[START_ACTION_TYPE].seq, links)
        )
    yield shapes.GameEntry(
        at, shapes.EntryFacts(last_table.game, last_table.seq, first_seq - 1, links)
    )
    for seat in selectors.seats_of(hook.account_id, last_table.game):
        yield from _seat_notices(last_table, first_seq, seat, links)
    if last_table.ending is not None:
        facts = shapes.OverFacts(last_table.game, last_table.seq, last_table.ending, links)
        yield shapes.GameOver(at, facts)


def _seat_notices(
    table: Projection, first_seq: int, seat: int, links: shapes.NoticeLinks
) -> Iterator[Any]:
    """The notices of all that a game waits for since entry `first_seq` of a seat."""
    at, proposal = table.entry.at, table.proposal
    if table.is_awaited(seat) and table.choice_since[seat].seq >= first_seq:
        since = table.choice_since[seat].seq
        yield shapes.GameYourTurn(at, shapes.TurnFacts(table.game, since, seat, links))
    if proposal and table.asked_seats >> seat & 1 and proposal.seq >= first_seq:
        facts = shapes.ProposalFacts(table.game, proposal.seq, seat, proposal.of, links)
        yield shapes.GameProposal(at, facts)


def _notice_links(game: str) -> shapes.NoticeLinks:
    names = {name: reverse(f"game-{name}", args=[game]) for name in ("game", "log", "choice")}
    return shapes.NoticeLinks(**names)


def create_ping(hook: Webhook) -> Delivery:
    """Create a test delivery."""
    now = timezone.now()
    delivery = build_delivery(hook, shapes.Ping(format_time(now), shapes.PingFacts(hook.pk)), now)
    delivery.save()
    return delivery


def delete_old_deliveries(max_age: timedelta) -> int:
    """Delete finished deliveries older than `max_age`; returns their number."""
    old_deliveries = Delivery.objects.filter(created__lt=timezone.now() - max_age, due=None)
    return old_deliveries.delete()[0]
