"""The Django app that owns the bots."""

from __future__ import annotations

from django.apps import AppConfig


class AiConfig(AppConfig):
    name = "ai"

    def ready(self) -> None:
        """Connect the signal receivers."""
        import ai.rating_dispatch  # noqa: PLC0415  # needs the models loaded
        import ai.receivers  # noqa: F401, PLC0415
