"""A process that starts a game of which a webhook is notified."""

from __future__ import annotations

import sys

from django.utils import timezone

from api.models import Webhook, webhook_id
from api.webhooks import signatures
from games.models import Account
from games.services import SeatAssignment, create_game


def main(arguments: list[str]) -> None:
    """With the URL of the receiver: start a game, and print the webhook's secret."""
    (url,) = arguments
    account = Account.objects.create()
    hook = Webhook(
        id=webhook_id(), account=account, since=timezone.now(), url=url, kinds="game.started"
    )
    secret = signatures.renew_secret(hook, hook.since)
    hook.save()
    create_game("law_of_the_dice", [SeatAssignment(account=account), SeatAssignment(bot="greedy")])
    sys.stdout.write(secret)
