"""The Django app config of the games."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Start watching database writes, and record the rulesets after each migration."""
        import games.write_health  # noqa: F401, PLC0415  # settings must be there first

        post_migrate.connect(_record_rulesets, sender=self)


def _record_rulesets(**_: Any) -> None:
    from games import services  # noqa: PLC0415  # models must be there first

    services.rulesets_record()
