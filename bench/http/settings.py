"""The settings of the server that is measured: the service, two views more, and high limits."""

from __future__ import annotations

from config.settings import *  # noqa: F403

ROOT_URLCONF = "bench.http.urls"
LIMITS = dict.fromkeys(("read", "write", "create", "guests"), (1000000, 60))
