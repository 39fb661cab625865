"""The Django app config of the public record."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from games.pattern_indexes import drop_pattern_indexes


class RecordConfig(AppConfig):
    name = "record"

    def ready(self) -> None:
        """Drop the indexes that Django alone wants after each migration."""
        post_migrate.connect(drop_pattern_indexes, sender=self)
