"""The Django app that answers over HTTP."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"
