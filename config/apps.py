"""The Django app config of the project, which connects its apps at startup: the sweeper's progress
to the supervisor, time limits to database connections, and the key check to management commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Error, register
from django.db import connection
from django.utils.module_loading import import_string

from config import telemetry
from config.supervisor import heartbeat


class WiringConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Report the sweeper's progress as heartbeats, limit the time of database calls, record
        traces if they are on, read the test clock if there is one, and register the key check for
        management commands."""
        from config import database_timeouts  # noqa: PLC0415  # settings must be loaded first
        from jobs.sweeper_hooks import sweep_progressed  # noqa: PLC0415  # apps must be loaded first

        sweep_progressed.connect(_report_alive)
        database_timeouts.connect_signals()
        register(check_server_keys, "keys")
        if settings.TRACES:
            telemetry.install()
        if settings.TEST_CLOCK:
            import_string("jobs.movable_clock.install")(settings.TEST_CLOCK)


def _report_alive(**_: Any) -> None:
    heartbeat.send_sign(heartbeat.ALIVE)


def check_server_keys(**_: Any) -> list[Error]:
    """An error if the server's keys are not those of its database, if it can be reached."""
    from config.keys.fingerprint_check import WrongKeysError  # noqa: PLC0415
    from config.keys.key_files import MissingKeysError  # noqa: PLC0415  # models must be loaded first
    from config.keys.start_refusal import is_confirmed  # noqa: PLC0415

    place = connection.settings_dict["NAME"]
    if isinstance(place, Path) and not place.exists():
        return []  # the check must not create the database
    try:
        is_confirmed()
    except (MissingKeysError, WrongKeysError) as problem:
        return [Error(str(problem), id="config.E001")]
    return []
