"""The Django app config of the bots."""

from __future__ import annotations

from django.apps import AppConfig


class AiConfig(AppConfig):
    name = "ai"

    def ready(self) -> None:
        """Register the outboxes, and connect the signal receivers."""
        # which need the models, and import both outboxes
        import ai.receivers  # noqa: PLC0415
        import ai.stalled_games  # noqa: F401, PLC0415
