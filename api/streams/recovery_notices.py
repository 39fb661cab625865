"""Notices of redeemed recovery codes, for the stream of an account."""

from __future__ import annotations

from datetime import datetime

from api.models import RecoveryCode
from api.shape_responses import format_required_time
from api.shapes.accounts import Recovery


def notices(account: str, since: datetime | None = None) -> list[Recovery]:
    """The uses of an account's recovery codes, oldest first."""
    used = RecoveryCode.objects.filter(account=account, used__isnull=False).order_by("used")
    uses = (used.filter(used__gte=since) if since else used).values_list("used", "key")
    return [Recovery(format_required_time(at), key) for at, key in uses if at]
