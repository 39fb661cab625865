"""The Django app of the desk, installed if `TABULARIUM_ADMIN` names its path."""

from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class DeskConfig(AppConfig):
    """The app of the desk."""

    name = "desk"

    def ready(self) -> None:
        """Connect the receivers of log-ins."""
        import_module("desk.receivers")
