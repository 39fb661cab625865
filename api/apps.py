"""The Django app that answers over HTTP."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        """Listen to the logs and to the sweeper."""
        import api.figures  # noqa: PLC0415  # models must be there first
        import api.limits.signal_receivers  # noqa: PLC0415  # models must be there first
        import api.streams.notifier  # noqa: PLC0415  # models must be there first
        import api.webhooks.signal_receivers  # noqa: F401, PLC0415
