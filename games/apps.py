"""The Django app config of the games."""

from __future__ import annotations

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Start watching database writes."""
        import games.write_health  # noqa: F401, PLC0415  # settings must be there first
