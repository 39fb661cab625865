"""`python -m tests.size`: fill a store, and compare every request with an empty one (`make size`).
The store is SQLite, or a database of its own on the server of DATABASE_URL."""

from __future__ import annotations

import os
import sys

import django

if __name__ == "__main__":
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TABULARIUM_HOSTS": "testserver",
        "TABULARIUM_LIMITS": "off",
        "TABULARIUM_LOG_LEVEL": "ERROR",
    }
    django.setup()
    from tests.size import suite  # models must be loaded first

    sys.exit(suite.main(sys.argv[1:]))
