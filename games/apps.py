"""The Django app config of the games."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from games.pattern_indexes import drop_pattern_indexes


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Start watching database writes; after each migration, record the rulesets and drop
        indexes that Django alone wants."""
        import games.write_health  # noqa: F401, PLC0415  # settings must be there first

        post_migrate.connect(drop_pattern_indexes, sender=self)
        post_migrate.connect(_record_rulesets, sender=self)


def _record_rulesets(**_: Any) -> None:
    from games import services  # noqa: PLC0415  # models must be there first

    services.record_rulesets()
