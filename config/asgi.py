"""The ASGI application: `uvicorn config.asgi:application`.

Every request starts in Django's synchronous code, on a fixed pool of threads that keep their
database connections: measured, this gives twice the throughput of a hop between threads per call. A
stream or a long poll continues on the event loop, where it occupies no thread.
"""

from __future__ import annotations

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

from api.request_ids import tracing_middleware  # noqa: E402  # Django had to be set up first
from api.streams.request_handoff import handoff_middleware  # noqa: E402
from config import urls  # noqa: E402, F401  # a process answers with the code of its start
from config.asgi_thread_pool import ThreadPoolHandler  # noqa: E402
from config.keys import start_refusal  # noqa: E402
from games import group_commit  # noqa: E402

# Measured on two cores: as many actions a second as with 4 or 16, and none waits for 15 others.
REQUEST_THREADS = 8

start_refusal.exit_on_wrong_keys()
start_refusal.start_key_watch()
group_commit.writer.enable()
application = tracing_middleware(handoff_middleware(ThreadPoolHandler(REQUEST_THREADS)))
