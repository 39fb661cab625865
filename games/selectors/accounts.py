"""Selectors of accounts: one by its id, also with a row lock, the unfinished games that count
against its quota, and the numbers of its public games."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from games import ids
from games.models import Account, Challenge, Game, Import, Player


class PublicGameCounts(NamedTuple):
    """The numbers of public games in a ruleset, by phase."""

    rules: str
    gathering: int
    playing: int
    over: int


def account(name: str) -> Account:
    """The account with this id."""
    return Account.objects.get(pk=name)


def account_exists(name: str) -> bool:
    """Whether there is an account with this id."""
    return Account.objects.filter(pk=name).exists()


def find_account(name: str) -> Account | None:
    """The account with this id; None if there is none."""
    return Account.objects.filter(pk=name).first()


def accounts_named(name: str) -> QuerySet[Account]:
    """The accounts that have exactly this name now; none for the empty one."""
    return Account.objects.filter(name=name) if name else Account.objects.none()


def public_game_counts(account: str) -> tuple[PublicGameCounts, ...]:
    """The numbers of the public games in which an account has a seat, by ruleset: those that are
    listed for all."""
    seats = Player.objects.filter(game=OuterRef("pk"), account=account)
    games = Game.objects.filter(Exists(seats), visibility=Game.Visibility.PUBLIC)
    by_phase = {str(phase): Count("pk", filter=Q(phase=phase)) for phase in Game.Phase}
    rows = games.values("rules").annotate(**by_phase).order_by("rules")
    return tuple(map(PublicGameCounts._make, rows.values_list("rules", *by_phase)))


def locked_account(name: str) -> Account:
    """The account, locked in the present transaction, so that other rows may still refer to it."""
    return Account.objects.select_for_update(no_key=True).get(pk=name)


def locked_accounts(names: Collection[str]) -> dict[str, Account]:
    """Those of the accounts that exist, by id, locked in an order that all callers share."""
    rows = Account.objects.select_for_update(no_key=True).filter(pk__in=names)
    return {account.pk: account for account in rows.order_by("pk")}


def accounts_from(after: str, created_before: datetime, count: int) -> list[str]:
    """The accounts that follow an id, in the order of their creation, up to a time."""
    rows = Account.objects.filter(pk__gt=after, pk__lt=ids.first_id("account", created_before))
    return list(rows.order_by("pk").values_list("pk", flat=True)[:count])


def accounts_without_traces(accounts: Collection[str]) -> list[str]:
    """Those of the accounts that no game, challenge or import names, and that are not banned."""
    rows = Account.objects.filter(pk__in=accounts, banned=None)
    for model, column in (
        (Player, "account"),
        (Game, "owner"),
        (Challenge, "account"),
        (Import, "account"),
    ):
        rows = rows.exclude(Exists(model.objects.filter(**{column: OuterRef("pk")})))
    return list(rows.values_list("pk", flat=True))


def unfinished_games_of(owner: str) -> QuerySet[Game]:
    """The games that an account has opened and that are not over."""
    return Game.objects.filter(owner=owner).exclude(phase=Game.Phase.OVER)
