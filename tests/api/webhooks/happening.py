"""A process in which something happens: a game starts that a webhook is to be told of."""

from __future__ import annotations

import sys

from django.utils import timezone

from api.models import Webhook, webhook_id
from api.webhooks import signatures
from games.models import Account
from games.services import SeatAssignment, game_create


def main(arguments: list[str]) -> None:
    """Told where the receiver is: say the secret, and play."""
    (url,) = arguments
    account = Account.objects.create()
    hook = Webhook(
        id=webhook_id(), account=account, since=timezone.now(), url=url, kinds="game.started"
    )
    secret = signatures.renew_secret(hook, hook.since)
    hook.save()
    game_create("law_of_the_dice", [SeatAssignment(account=account), SeatAssignment(bot="greedy")])
    sys.stdout.write(secret)
