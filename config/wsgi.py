"""The WSGI application: `gunicorn config.wsgi`."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()

from config import urls  # noqa: E402, F401  # a process answers with the code of its start
from config.keys import start_refusal  # noqa: E402  # Django had to be set up first

start_refusal.exit_on_wrong_keys()
start_refusal.start_key_watch()
