"""The Django app of the HTTP API."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        """Connect the receivers of signals from the logs and the sweeper."""
        import api.figures  # noqa: PLC0415  # models must be there first
        import api.limits.signal_receivers  # noqa: PLC0415  # models must be there first
        import api.streams.notifier  # noqa: PLC0415  # models must be there first
        import api.webhooks.signal_receivers  # noqa: F401, PLC0415
