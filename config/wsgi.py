"""The entry point for servers that speak WSGI only: `gunicorn config.wsgi`."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from config.keys import guarding  # noqa: E402  # Django had to be set up first

guarding.guard()
guarding.watch()
