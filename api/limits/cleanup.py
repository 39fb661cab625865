"""Cleanup of expired rows: full buckets, which equal new ones, and expired idempotent replies and
one-time codes."""

from __future__ import annotations

from time import time
from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from api.limits.token_buckets import MICROSECONDS_PER_SECOND
from api.models import Bucket, Handover, Reply
from jobs.sweeper_hooks import cleanup_due


@receiver(cleanup_due)
def delete_expired_rows(**_: Any) -> None:
    """Delete full buckets, and expired replies and codes."""
    Bucket.objects.filter(full_at__lt=int(time() * MICROSECONDS_PER_SECOND)).delete()
    Reply.objects.filter(created__lt=timezone.now() - Reply.KEPT_FOR).delete()
    Handover.objects.filter(expires__lte=timezone.now()).delete()
