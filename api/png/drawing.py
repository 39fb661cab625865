"""The drawing of PNGs: at most a few at once, each in a child process, because resvg would hold up
all threads of this one. The latest are kept."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import OrderedDict
from importlib.util import find_spec
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Final

MAX_KEPT_BYTES: Final = 32 << 20
WAIT_SECONDS: Final = 5.0  # for the drawings before it
WAITING_EACH: Final = 1  # requests that may wait for each drawing
CHILD_SECONDS: Final = 15.0
PROJECT_ROOT: Final = Path(__file__).resolve().parents[2]
CHILD_COMMAND: Final = (sys.executable, "-P", "-m", "api.png.child")


class DrawerBusy(Exception):
    """Too many pictures are being drawn."""


def is_installed() -> bool:
    """Whether the library that draws is installed."""
    return find_spec("resvg_py") is not None


def can_animate() -> bool:
    """Whether the libraries that draw and encode replays are installed."""
    return is_installed() and find_spec("PIL") is not None


class Drawer:
    """Draws at most `at_once` pictures at once, and keeps the latest, by what was drawn."""

    def __init__(self, at_once: int, kept_bytes: int = MAX_KEPT_BYTES) -> None:
        self._places = BoundedSemaphore(at_once)
        self._requests = BoundedSemaphore(at_once * (1 + WAITING_EACH))
        self._kept: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._kept_bytes = kept_bytes
        self._lock = Lock()

    def draw(self, tag: str, picture: str, width: int) -> bytes:
        """The PNG of a picture that this tag identifies; raises DrawerBusy."""
        if (png := self._find(tag, width)) is not None:
            return png
        if not self._requests.acquire(blocking=False):
            raise DrawerBusy
        try:
            return self._draw_in_turn(tag, picture, width)
        finally:
            self._requests.release()

    def _draw_in_turn(self, tag: str, picture: str, width: int) -> bytes:
        if not self._places.acquire(timeout=WAIT_SECONDS):
            raise DrawerBusy
        try:
            png = self._find(tag, width)  # another request may have drawn it meanwhile
            if png is None:
                png = draw_in_child(picture, width)
                self._keep(tag, width, png)
            return png
        finally:
            self._places.release()

    def _find(self, tag: str, width: int) -> bytes | None:
        with self._lock:
            png = self._kept.get((tag, width))
            if png is not None:
                self._kept.move_to_end((tag, width))
            return png

    def _keep(self, tag: str, width: int, png: bytes) -> None:
        with self._lock:
            self._kept[tag, width] = png
            while sum(map(len, self._kept.values())) > self._kept_bytes:
                self._kept.popitem(last=False)


def draw_in_child(picture: str, width: int) -> bytes:
    """The PNG, drawn by a child process that gets no key and no address; raises DrawerBusy if it
    does not finish in time."""
    try:
        completed = subprocess.run(
            [*CHILD_COMMAND, str(width)],
            input=picture.encode(),
            stdout=subprocess.PIPE,
            env=child_environment(),
            timeout=CHILD_SECONDS,
            check=True,
        )
    except subprocess.TimeoutExpired as problem:
        raise DrawerBusy from problem
    return completed.stdout


def child_environment() -> dict[str, str]:
    """The environment of a child process that draws."""
    env = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
    return {**env, "PYTHONPATH": str(PROJECT_ROOT)}
