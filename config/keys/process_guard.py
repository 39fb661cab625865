"""How is a process with other keys than its database's kept from starting, or ended?"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread
from typing import Final

from django.db import InterfaceError, OperationalError, connection

from config.environment import DatabaseUnreachableError, MissingKeysError
from config.keys.fingerprint_check import WrongKeysError, confirm_keys

RETRY_SECONDS: Final = 1.0  # seconds between two questions to a database that is away

_keys_confirmed: Final = Event()


def exit_on_wrong_keys() -> None:
    """Before a process serves: SystemExit, if it has other keys. A database that is away, or not
    migrated yet, keeps nobody from starting."""
    try:
        with ThreadPoolExecutor(1) as asking:  # some servers load an application in their loop
            asking.submit(is_confirmed).result()
    except (MissingKeysError, WrongKeysError) as problem:
        sys.exit(str(problem))


def start_key_watch() -> None:
    """While a process serves whose database was away: ask again until it has answered, and end the
    process if it has other keys."""
    if not _keys_confirmed.is_set():
        Thread(target=_watch_until_confirmed, name="keys", daemon=True).start()


def is_confirmed() -> bool:
    """Are these the right keys? False, if that cannot be said yet; WrongKeys or KeysMissing, if
    they are not."""
    try:
        if confirm_keys():
            _keys_confirmed.set()
    except (OperationalError, InterfaceError, DatabaseUnreachableError):
        return False
    finally:
        if not connection.in_atomic_block:
            connection.close()  # this may be before a fork
    return _keys_confirmed.is_set()


def _watch_until_confirmed() -> None:
    pause = Event()
    try:
        while not is_confirmed():
            pause.wait(RETRY_SECONDS)
    except (MissingKeysError, WrongKeysError) as problem:
        print(problem, file=sys.stderr, flush=True)  # noqa: T201  # the last words of a process
        os._exit(1)
