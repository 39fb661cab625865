"""The Django app of the pages."""

from __future__ import annotations

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Pages for people; no view reads a game."""

    name = "web"
