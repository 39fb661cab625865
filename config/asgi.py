"""The server's entry point: `uvicorn config.asgi:application`.

Every request begins in Django's synchronous code, on a fixed pool of threads that keep their
database connections: measured, twice as many as with a hop between threads per call. What lasts, a
stream or an answer that is waited for, goes on on the event loop, where it costs no thread.
"""

from __future__ import annotations

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

from api import schema  # noqa: E402  # Django had to be set up first
from api.streams.lasting import lasting  # noqa: E402
from api.tracing import traced  # noqa: E402
from config.keys import guarding  # noqa: E402
from config.threads import InThreads  # noqa: E402

THREADS = 8  # on two cores as many actions a second as with 4 or 16, and none waits for 15 others

guarding.guard()
guarding.watch()
schema.openapi()  # it takes a while: every thread would make it, if the first requests ask for it
application = traced(lasting(InThreads(THREADS)))
