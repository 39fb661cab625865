"""The Django app config of the HTTP API."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        """Register the outboxes, and connect the receivers of signals from logs and sweeper."""
        import api.limits.cleanup  # noqa: PLC0415  # models must be there first
        import api.metric_rows  # noqa: PLC0415  # models must be there first
        import api.replays.replay_dispatch  # noqa: PLC0415  # models must be there first
        import api.streams.pubsub  # noqa: PLC0415  # models must be there first
        import api.unused_accounts  # noqa: PLC0415  # models must be there first
        import api.webhooks.webhook_dispatch  # noqa: F401, PLC0415
