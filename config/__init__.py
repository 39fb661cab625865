"""How are the parts put together on this machine: settings, URLs, Celery, the supervisor?"""

from __future__ import annotations

from config.celery import app as celery_app

__all__ = ("celery_app",)
