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
        from ai.signals import sweeping  # noqa: PLC0415  # apps must be there first
        from config import database  # noqa: PLC0415  # settings must be there first

        sweeping.connect(_show_life)
        database.watch()
        register(fitting_keys, "keys")


def _show_life(**_: Any) -> None:
    heartbeat.tell(heartbeat.ALIVE)


def fitting_keys(**_: Any) -> list[Error]:
    """What is to be said against the keys of this server, if its database can be asked."""
    from config.environment import KeysMissing  # noqa: PLC0415  # models must be there first
    from config.keys.confirming import WrongKeys  # noqa: PLC0415
    from config.keys.guarding import is_confirmed  # noqa: PLC0415

    place = connection.settings_dict["NAME"]
    if isinstance(place, Path) and not place.exists():
        return []  # nothing is made by asking
    try:
        is_confirmed()
    except (KeysMissing, WrongKeys) as problem:
        return [Error(str(problem), id="config.E001")]
    return []
