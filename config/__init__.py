"""The configuration of a server: settings, URLs, Celery, the web server and the supervisor."""

from __future__ import annotations

from config.celery import app as celery_app

__all__ = ("celery_app",)
