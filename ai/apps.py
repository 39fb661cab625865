"""The Django app config of the bots."""

from __future__ import annotations

from django.apps import AppConfig


class AiConfig(AppConfig):
    name = "ai"

    def ready(self) -> None:
        """Register the outboxes, and connect the signal receivers."""
        import ai.receivers  # noqa: F401, PLC0415  # needs the models loaded; imports both outboxes
