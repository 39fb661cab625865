"""The Django app config of background work."""

from __future__ import annotations

from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "jobs"

    def ready(self) -> None:
        """Register the outbox of ratings, and connect the receivers of signals."""
        import jobs.clock_expiry  # noqa: PLC0415  # needs the models loaded
        import jobs.log_moves  # noqa: PLC0415
        import jobs.rating_dispatch  # noqa: PLC0415
        import jobs.record_rounds  # noqa: F401, PLC0415
