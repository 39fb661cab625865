"""Receivers of signals: every log-in is recorded."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver

from api.limits.client_address import client_address_of
from desk.record import record


@receiver(user_logged_in)
def record_login(request: Any, user: Any, **_: Any) -> None:
    """Record who logs in, and from where."""
    record(user.get_username(), "log-in", "desk", f"from {client_address_of(request.META)}")
