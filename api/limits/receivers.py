"""When the sweeper clears up: full buckets may go, as if their callers had never asked, and replies
that are told no more."""

from __future__ import annotations

from time import time
from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from ai.signals import cleared
from api import asking
from api.limits.buckets import SECOND
from api.models import Bucket


@receiver(cleared)
def forget(**_: Any) -> None:
    """Drop full buckets and old replies."""
    Bucket.objects.filter(full_at__lt=int(time() * SECOND)).delete()
    asking.forget(timezone.now() - asking.KEPT)
