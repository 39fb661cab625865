"""The retirement of unused accounts: guests that have played no game, and whose keys have not been
used for a long time, are deleted."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db.models import Q
from django.dispatch import receiver
from django.utils import timezone

from api.models import Key, Webhook
from games import selectors, services
from jobs.sweeper_hooks import cleanup_due

BATCH: Final = 500  # accounts examined with one statement
MAX_BATCHES: Final = 100  # in one clean-up
MAX_RETIRED: Final = 2_000  # in one clean-up, which takes some seconds


class Walk:
    """A walk through all accounts, oldest first, a part in each clean-up."""

    def __init__(self) -> None:
        self._after = ""

    def go_on(self, before: datetime) -> int:
        """Delete the next accounts unused since that time; returns their number."""
        count = 0
        for _ in range(MAX_BATCHES):
            accounts = selectors.accounts_from(self._after, before, BATCH)
            if not accounts:
                self._after = ""  # the next clean-up begins again
                break
            count += sum(
                services.retire_account(account, lambda each: bool(unused_accounts([each], before)))
                for account in unused_accounts(accounts, before)
            )
            self._after = accounts[-1]
            if count >= MAX_RETIRED:
                break
        return count


_walk: Final = Walk()


def unused_accounts(accounts: Collection[str], before: datetime) -> list[str]:
    """Those of the accounts that nothing names but keys, none of which was used since that time."""
    idle = selectors.accounts_without_traces(accounts)
    recent_keys = Key.objects.filter(
        Q(created__gte=before) | Q(last_used__gte=before), account__in=idle
    )
    webhooks = Webhook.objects.filter(account__in=idle)
    used = {*recent_keys.values_list("account", flat=True)}
    used |= {*webhooks.values_list("account", flat=True)}
    return [account for account in idle if account not in used]


@receiver(cleanup_due)
def retire_unused_accounts(**_: Any) -> None:
    """Delete accounts that have been unused for the time that the settings say."""
    if settings.GUEST_LIFE:
        _walk.go_on(timezone.now() - settings.GUEST_LIFE)
