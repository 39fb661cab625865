"""Log lines: as text for people, or as JSON for programs, one object a line. Both tell the request,
the game and the account that a line is about."""

from __future__ import annotations

import logging
import os
import sys
from collections import OrderedDict
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, Final

import orjson

from config import environment
from config.environment import Misconfigured
from games import figures, tracing

TEXT: Final = "text"
JSON: Final = "json"
FORMATS: Final = (TEXT, JSON)
LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
PART: Final = f"{environment.PREFIX}PART"  # which part of the server a process is
OURS: Final = "tabularium."  # a line for each request and each task: none is dropped
BURST: Final = 50  # lines of a kind at once; then
TRACEBACKS: Final = 5  # … of those that tell a traceback
INTERVAL: Final = 1.0  # seconds between two of them
KINDS: Final = 1_000  # of lines that are known at a time


def log_format(surroundings: Mapping[str, str] = os.environ) -> str:
    """TABULARIUM_LOG_FORMAT: text or json."""
    said = surroundings.get(f"{environment.PREFIX}LOG_FORMAT", TEXT)
    if said not in FORMATS:
        raise Misconfigured(f"{environment.PREFIX}LOG_FORMAT is text or json, not {said!r}.")
    return said


def log_level() -> str:
    """TABULARIUM_LOG_LEVEL: the least level that is logged."""
    said = environment.text("LOG_LEVEL", "WARNING")
    if said not in LEVELS:
        known = ", ".join(LEVELS)
        raise Misconfigured(f"{environment.PREFIX}LOG_LEVEL is one of {known}, not {said!r}.")
    return said


def configuration() -> dict[str, Any]:
    """The set-up of `logging`, for all processes."""
    level = log_level()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {TEXT: {"()": "config.logs.Text"}, JSON: {"()": "config.logs.Json"}},
        "filters": {
            "throttle": {"()": "config.logs.Throttle"},
            "outages": {"()": "config.logs.NoOutage"},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": log_format(),
                "filters": ["throttle"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.security.DisallowedHost": {"level": "CRITICAL"},  # strangers ask for anything
            # a client's mistake is told to the client
            "django.request": {"level": "ERROR", "filters": ["outages"]},
            "celery": {"level": "INFO" if level == "DEBUG" else max(level, "WARNING", key=_rank)},
        },
    }


def _rank(level: str) -> int:
    return LEVELS.index(level)


def part() -> str:
    """Which part of the server this process is."""
    return os.environ.get(PART) or Path(sys.argv[0]).stem or "python"


# -- lines ----------------------------------------------------------------------------------------


class Text(logging.Formatter):
    """A line that a person reads. What callers have sent cannot pretend to be a line of its own."""

    def format(self, record: logging.LogRecord) -> str:
        known = " ".join(f"{name}={fact}" for name, fact in tracing.shown().items())
        about = f" [{known}]" if known else ""
        head = f"{time_of(record)} {record.levelname} {record.process} {record.name}{about}"
        message = _message(record).rstrip("\n").replace("\n", "\n    ")
        return "\n".join(filter(None, (f"{head}: {message}", _traceback(self, record))))


class Json(logging.Formatter):
    """A line that a program reads."""

    def format(self, record: logging.LogRecord) -> str:
        facts = getattr(record, "facts", {})
        line = {
            "time": time_of(record),
            "level": record.levelname,
            "logger": record.name,
            "message": _message(record),
            "part": part(),
            "process": record.process,
            **tracing.shown(),
            **facts,
        }
        if traceback := _traceback(self, record):
            line["traceback"] = traceback
        return dumped(line)


def dumped(line: dict[str, Any]) -> str:
    """An object on one line; what JSON does not know is written as text."""
    return orjson.dumps(line, default=str).decode()


def time_of(record: logging.LogRecord) -> str:
    """When it was, in UTC, to the millisecond."""
    return _time(datetime.fromtimestamp(record.created, UTC))


def _time(at: datetime) -> str:
    return f"{at.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def _message(record: logging.LogRecord) -> str:
    message = record.getMessage().encode(errors="replace").decode()
    dropped = getattr(record, "dropped", 0)
    return f"{message} ({dropped} more of these were dropped)" if dropped else message


def _traceback(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    """How it came to that, if the line tells of an exception."""
    told = record.exc_text or (
        formatter.formatException(record.exc_info) if record.exc_info else ""
    )
    stack = formatter.formatStack(record.stack_info) if record.stack_info else ""
    return "\n".join(filter(None, (told, stack))).encode(errors="replace").decode()


class NoOutage(logging.Filter):
    """Drops what Django says of each 503: api/outages.py tells of them all, now and then."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Is it about another reply?"""
        return getattr(record, "status_code", None) != 503


class Throttle(logging.Filter):
    """Lets pass so many lines of a kind at once, few with tracebacks, then one a second. Those that
    it drops are counted and told with the next. Lines of requests and tasks are never dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._renew()
        os.register_at_fork(after_in_child=self._renew)
        self._full_at = OrderedDict[tuple[Any, ...], float]()  # when its burst is whole again
        self._dropped: dict[tuple[Any, ...], int] = {}

    def _renew(self) -> None:
        """After a fork: a thread of the parent may have held the lock."""
        self._lock = Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Is there room for this line?"""
        if record.name.startswith(OURS):
            return True
        kind = (record.name, record.levelno, str(record.msg), (record.exc_info or (None,))[0])
        with self._lock:
            passes = self._has_room(kind, monotonic(), TRACEBACKS if record.exc_info else BURST)
            if passes:
                record.dropped = self._dropped.pop(kind, 0)
            else:
                self._dropped[kind] = self._dropped.get(kind, 0) + 1
        if not passes:
            figures.counts.add(figures.LINES_DROPPED)
        return passes

    def _has_room(self, kind: tuple[Any, ...], now: float, burst: int) -> bool:
        full_at = max(self._full_at.pop(kind, now), now) + INTERVAL
        is_late = full_at > now + burst * INTERVAL
        self._full_at[kind] = full_at - INTERVAL if is_late else full_at
        if len(self._full_at) > KINDS:
            forgotten, _ = self._full_at.popitem(last=False)
            self._dropped.pop(forgotten, None)
        return not is_late


# -- lines of the supervisor ----------------------------------------------------------------------


def quoted(name: str, line: str, form: str) -> str:
    """A line of a part, as the supervisor passes it on. JSON stays JSON, whatever a part prints."""
    if form == TEXT:
        return f"{name:7} | {line}"
    try:
        said = orjson.loads(line)
    except orjson.JSONDecodeError:
        said = None
    if isinstance(said, dict) and "message" in said:
        return line if "part" in said else dumped({**said, "part": name})
    return spoken(line, form, name)


def spoken(line: str, form: str, name: str = "supervisor") -> str:
    """A line that no logger has written."""
    if form == TEXT:
        return line
    told = {"time": _time(datetime.now(UTC)), "level": "INFO", "logger": name, "message": line}
    return dumped({**told, "part": name})
