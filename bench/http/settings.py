"""The settings of the measured server: the service, two more views, and high limits."""

from __future__ import annotations

from config.settings import *  # noqa: F403

ROOT_URLCONF = "bench.http.urls"
LIMITS = dict.fromkeys(("read", "write", "create", "guests"), (1000000, 60))
