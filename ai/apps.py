"""The Django app that owns the bots."""

from __future__ import annotations

from django.apps import AppConfig


class AiConfig(AppConfig):
    name = "ai"

    def ready(self) -> None:
        """Register the outboxes, and connect the signal receivers."""
        import ai.analysis.part_dispatch  # noqa: PLC0415  # needs the models loaded
        import ai.bot_dispatch  # noqa: PLC0415
        import ai.receivers  # noqa: F401, PLC0415
