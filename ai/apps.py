"""The Django app that owns the bots."""

from __future__ import annotations

from django.apps import AppConfig


class AiConfig(AppConfig):
    name = "ai"

    def ready(self) -> None:
        """Listen to the logs."""
        import ai.rating_dispatch  # noqa: PLC0415  # models must be there first
        import ai.receivers  # noqa: F401, PLC0415
