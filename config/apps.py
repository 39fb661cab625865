"""The Django app of this installation: what ties the parts to their supervisor."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig

from config.supervisor import heartbeat


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """A sweeper that gets on shows it; the database is not waited for for ever."""
        from ai.signals import sweeping  # noqa: PLC0415  # apps must be there first
        from config import database  # noqa: PLC0415  # settings must be there first

        sweeping.connect(_show_life)
        database.watch()


def _show_life(**_: Any) -> None:
    heartbeat.tell(heartbeat.ALIVE)
