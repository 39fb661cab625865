"""When the sweeper clears up: which buckets may go? Those that are full, as if nobody had asked."""

from __future__ import annotations

from time import time
from typing import Any

from django.dispatch import receiver

from ai.signals import cleared
from api.limits.buckets import SECOND
from api.models import Bucket


@receiver(cleared)
def forget(**_: Any) -> None:
    """Drop full buckets."""
    Bucket.objects.filter(full_at__lt=int(time() * SECOND)).delete()
