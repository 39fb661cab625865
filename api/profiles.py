"""Endpoints for the profiles of accounts, which are found by their names: all clients see the same,
since nothing of it depends on games that are not public."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from api import cursors, query_serializers
from api.authentication import reader_account
from api.base_endpoint import REVALIDATED, Endpoint
from api.ratings import ratings_of
from api.schema import operation
from api.shape_responses import format_required_time, reply
from api.shapes import accounts as shapes
from games import selectors
from games.selectors import Account


class AccountsEndpoint(Endpoint):
    """The accounts of a name."""

    cache_control = REVALIDATED
    query = query_serializers.AccountsQuery

    @operation(
        "list_accounts",
        reply=shapes.AccountList,
        query=query_serializers.AccountsQuery,
        scope="games:read",
        open_to_all=True,
    )
    def get(self, request: Request) -> Response:
        """List the accounts that have exactly this name now, the newest first: several may have it.
        Their ids are for challenges, and for `account` in lists of games."""
        reader_account(request)
        query = self.parse_query(request)
        rows, cursor = cursors.newest_page(selectors.accounts_named(query["name"]), query)
        return reply(shapes.AccountList(tuple(map(_named_account, rows)), cursor))


def _named_account(row: Account) -> shapes.NamedAccount:
    return shapes.NamedAccount(
        row.pk, row.name, format_required_time(row.created), _account_links(row.pk)
    )


class AccountEndpoint(Endpoint):
    """An account."""

    cache_control = REVALIDATED

    @operation("account", reply=shapes.AccountProfile, scope="games:read", open_to_all=True)
    def get(self, request: Request, account: str) -> Response:
        """Get the profile of an account: its name, its ratings, and how many public games it
        plays and has played. `seats` of games and the leaderboards name accounts."""
        reader_account(request)
        row = selectors.find_account(account)
        if row is None:
            raise Http404(f"There is no account {account}.")
        counts = selectors.public_game_counts(account)
        return reply(
            shapes.AccountProfile(
                id=row.pk,
                name=row.name,
                created=format_required_time(row.created),
                ratings=ratings_of(row.pk),
                games=tuple(shapes.GameCounts(**each._asdict()) for each in counts),
                links=_account_links(row.pk),
            )
        )


def _account_links(account: str) -> shapes.PlayerLinks:
    return player_links(reverse("account", args=[account]), account=account)


def player_links(url: str, **player: str) -> shapes.PlayerLinks:
    """The links of a player, given the filter that finds its games."""
    return shapes.PlayerLinks(url, f"{reverse('games')}?{urlencode(player)}")
