"""Requests that were answered before a migration are known after it: their idempotency keys still
prevent a second execution."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from games import services
from games.models import Account, Request
from games.services import IdempotencyKeyReused, IdempotentRequest, SeatAssignment
from tests.games.sitting import SLUG
from tests.support.databases import Kept

pytestmark = pytest.mark.stores

MIGRATION: Final = import_module("games.migrations.0006_requests").Migration


def migrate_to(app: str, name: str = "") -> None:
    """Migrate the tables of an app to that migration, or to the latest."""
    call_command("migrate", app, *([name] if name else []), verbosity=0)


@pytest.mark.lane("processes")
def test_requests_keep_their_owner(kept_here: Kept) -> None:
    account = Account.objects.create()
    game = services.create_game(
        SLUG, [SeatAssignment(account=account), SeatAssignment()]
    ).projection.game
    (before,) = (name for app, name in MIGRATION.dependencies if app == "games")
    migrate_to("api", "0002_webhooks_and_limits")
    migrate_to("games", before)
    at = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO games_request (account_id, game_id, key, fingerprint, first, last, at)"
            " VALUES (%s, %s, 'mine', %s, 1, 2, %s)",
            [account.pk, game, "f" * 64, at],
        )
    migrate_to("games")
    migrate_to("api")
    (kept,) = Request.objects.all()
    assert (kept.owner, kept.key, kept.game_id, kept.last) == (account.pk, "mine", game, 2)
    assert services.find_request(IdempotentRequest(account.pk, "mine", "f" * 64)) == kept
    with pytest.raises(IdempotencyKeyReused):
        services.find_request(IdempotentRequest(account.pk, "mine", "another"))
