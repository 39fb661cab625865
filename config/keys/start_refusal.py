"""Refusing to start a process whose keys are not those of its database, or ending it."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread
from typing import Final

from django.db import InterfaceError, OperationalError, connection

from config.keys.fingerprint_check import WrongKeysError, confirm_keys
from config.keys.key_files import DatabaseUnreachableError, MissingKeysError
from games.fork_guard import no_fork

RETRY_SECONDS: Final = 1.0  # seconds between two attempts to reach the database

_keys_confirmed: Final = Event()
os.register_at_fork(after_in_child=_keys_confirmed.clear)  # each process confirms them itself


def exit_on_wrong_keys() -> None:
    """Exit before serving if the keys are wrong. A database that is away, or not migrated yet, does
    not prevent the start."""
    try:
        with ThreadPoolExecutor(1) as pool:  # some servers load the app in their event loop
            pool.submit(is_confirmed).result()
    except (MissingKeysError, WrongKeysError) as problem:
        sys.exit(str(problem))


def start_key_watch() -> None:
    """If the database was away at the start, retry in the background until it answers, and end the
    process if its keys are wrong."""
    if not _keys_confirmed.is_set():
        Thread(target=_watch_until_confirmed, name="keys", daemon=True).start()


def is_confirmed() -> bool:
    """Whether these are confirmed as the right keys; False if that cannot be checked yet. Raises
    WrongKeysError or MissingKeysError if they are not."""
    try:
        if confirm_keys():
            _keys_confirmed.set()
    except (OperationalError, InterfaceError, DatabaseUnreachableError):
        return False
    finally:
        if not connection.in_atomic_block:
            connection.close()  # there may be a fork after this
    return _keys_confirmed.is_set()


def is_confirmed_without_fork() -> bool:
    """The same, in a thread beside code that forks."""
    with no_fork():
        return is_confirmed()


def _watch_until_confirmed() -> None:
    pause = Event()
    try:
        while not is_confirmed_without_fork():
            pause.wait(RETRY_SECONDS)
    except (MissingKeysError, WrongKeysError) as problem:
        print(problem, file=sys.stderr, flush=True)  # noqa: T201  # the last words of a process
        os._exit(1)
