"""The Django app that puts the parts together, and ties them to their supervisor and their keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.core.checks import Error, register
from django.db import connection

from config.supervisor import heartbeat


class WiringConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        """A sweeper that gets on shows it; the database is not waited for for ever; no command
        works on a database whose keys are others."""
        from ai.signals import sweep_progressed  # noqa: PLC0415  # apps must be there first
        from config import database  # noqa: PLC0415  # settings must be there first

        sweep_progressed.connect(_report_alive)
        database.connect_signals()
        register(check_server_keys, "keys")


def _report_alive(**_: Any) -> None:
    heartbeat.send_sign(heartbeat.ALIVE)


def check_server_keys(**_: Any) -> list[Error]:
    """What is to be said against the keys of this server, if its database can be asked."""
    from config.environment import MissingKeysError  # noqa: PLC0415  # models must be there first
    from config.keys.fingerprint_check import WrongKeysError  # noqa: PLC0415
    from config.keys.process_guard import is_confirmed  # noqa: PLC0415

    place = connection.settings_dict["NAME"]
    if isinstance(place, Path) and not place.exists():
        return []  # nothing is made by asking
    try:
        is_confirmed()
    except (MissingKeysError, WrongKeysError) as problem:
        return [Error(str(problem), id="config.E001")]
    return []
