"""The server's entry point: `uvicorn config.asgi:application`.

Every request begins in Django's synchronous handler, on a fixed pool of threads that keep their
database connections: measured, twice as many as with a hop between threads per call. What lasts, a
stream or an answer that is waited for, goes on on the event loop, where it costs no thread.
"""

from __future__ import annotations

import os
from typing import Any

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django: Any = get_wsgi_application()

from api.streams.lasting import lasting  # noqa: E402  # Django had to be set up first

in_threads: Any = WSGIMiddleware(django, workers=16)
application = lasting(in_threads)
