"""Logging configuration and the formats of log lines: text for people, or JSON for programs, one
object per line. Both name the request, the game and the account that a line is about."""

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
from config.environment import ConfigurationError
from games import process_metrics, request_trace

TEXT_FORMAT: Final = "text"
JSON_FORMAT: Final = "json"
LOG_FORMATS: Final = (TEXT_FORMAT, JSON_FORMAT)
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
# the part of the server that a process is
PROCESS_NAME_VARIABLE: Final = f"{environment.VARIABLE_PREFIX}PART"
SUPERVISOR: Final = "supervisor"
UNTHROTTLED_PREFIX: Final = "tabularium."  # one line per request or task: none is dropped
BURST_LINES: Final = 50  # lines of one kind in a burst
BURST_TRACEBACKS: Final = 5  # … if they have a traceback
REFILL_SECONDS: Final = 1.0  # seconds between two lines after a burst
MAX_TRACKED_KINDS: Final = 1_000  # kinds of lines tracked at a time


def read_log_format(env: Mapping[str, str] = os.environ) -> str:
    """TABULARIUM_LOG_FORMAT: text or json."""
    value = env.get(f"{environment.VARIABLE_PREFIX}LOG_FORMAT", TEXT_FORMAT)
    if value not in LOG_FORMATS:
        raise ConfigurationError(
            f"{environment.VARIABLE_PREFIX}LOG_FORMAT must be text or json, not {value!r}."
        )
    return value


def read_log_level() -> str:
    """TABULARIUM_LOG_LEVEL: the lowest level that is logged."""
    value = environment.read_text("LOG_LEVEL", "WARNING")
    if value not in LOG_LEVELS:
        levels = ", ".join(LOG_LEVELS)
        raise ConfigurationError(
            f"{environment.VARIABLE_PREFIX}LOG_LEVEL must be one of {levels}, not {value!r}."
        )
    return value


def logging_configuration() -> dict[str, Any]:
    """The configuration of `logging`, for all processes."""
    level = read_log_level()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            TEXT_FORMAT: {"()": "config.logs.TextFormatter"},
            JSON_FORMAT: {"()": "config.logs.JsonFormatter"},
        },
        "filters": {
            "throttle": {"()": "config.logs.ThrottleFilter"},
            "outages": {"()": "config.logs.OutageFilter"},
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": read_log_format(),
                "filters": ["throttle"],
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.security.DisallowedHost": {"level": "CRITICAL"},  # scanners send any Host
            # a client error is reported to the client alone
            "django.request": {"level": "ERROR", "filters": ["outages"]},
            # its warning is about a message that a worker that stops gives back, as it should
            "kombu.transport.virtual.base": {"level": "ERROR"},
            "celery": {
                "level": "INFO" if level == "DEBUG" else max(level, "WARNING", key=_level_rank)
            },
        },
    }


def _level_rank(level: str) -> int:
    return LOG_LEVELS.index(level)


def process_name() -> str:
    """The part of the server that this process is."""
    return os.environ.get(PROCESS_NAME_VARIABLE) or Path(sys.argv[0]).stem or "python"


# -- formatters and filters -----------------------------------------------------------------------


class TextFormatter(logging.Formatter):
    """A line of text. Input cannot forge a line: further lines of a message are indented."""

    def format(self, record: logging.LogRecord) -> str:
        facts = " ".join(f"{name}={value}" for name, value in request_trace.logged_fields().items())
        context = f" [{facts}]" if facts else ""
        head = f"{record_time(record)} {record.levelname} {record.process} {record.name}{context}"
        message = _format_message(record).rstrip("\n").replace("\n", "\n    ")
        return "\n".join(filter(None, (f"{head}: {message}", _format_traceback(self, record))))


class JsonFormatter(logging.Formatter):
    """A line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        facts = getattr(record, "facts", {})
        line = {
            "time": record_time(record),
            "level": record.levelname,
            "logger": record.name,
            "message": _format_message(record),
            "part": process_name(),
            "process": record.process,
            **request_trace.logged_fields(),
            **facts,
        }
        if traceback := _format_traceback(self, record):
            line["traceback"] = traceback
        return dump_json_line(line)


def dump_json_line(line: dict[str, Any]) -> str:
    """An object on one line; values unknown to JSON are written as text."""
    return orjson.dumps(line, default=str).decode()


def record_time(record: logging.LogRecord) -> str:
    """The time of the record, in UTC, to the millisecond."""
    return _format_time(datetime.fromtimestamp(record.created, UTC))


def _format_time(at: datetime) -> str:
    return f"{at.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def _format_message(record: logging.LogRecord) -> str:
    message = record.getMessage().encode(errors="replace").decode()
    dropped_count = getattr(record, "dropped", 0)
    return f"{message} ({dropped_count} more of these were dropped)" if dropped_count else message


def _format_traceback(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    """The traceback and the stack, if the record has them."""
    traceback = record.exc_text or (
        formatter.formatException(record.exc_info) if record.exc_info else ""
    )
    stack = formatter.formatStack(record.stack_info) if record.stack_info else ""
    return "\n".join(filter(None, (traceback, stack))).encode(errors="replace").decode()


class OutageFilter(logging.Filter):
    """Drops Django's line for each 503, as api/outages.py logs a summary from time to time."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is about another reply."""
        return getattr(record, "status_code", None) != 503


class ThrottleFilter(logging.Filter):
    """Passes a burst of lines of one kind (fewer with tracebacks), then one per second. Dropped
    lines are counted, and the next line states the count. Lines of requests and tasks are never
    dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._reset_lock()
        os.register_at_fork(after_in_child=self._reset_lock)
        self._full_at = OrderedDict[tuple[Any, ...], float]()  # when its burst is available again
        self._dropped_counts: dict[tuple[Any, ...], int] = {}

    def _reset_lock(self) -> None:
        """Replace the lock after a fork: a thread of the parent may have held it."""
        self._lock = Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this line passes."""
        if record.name.startswith(UNTHROTTLED_PREFIX):
            return True
        kind = (record.name, record.levelno, str(record.msg), (record.exc_info or (None,))[0])
        with self._lock:
            is_passed = self._has_room(
                kind, monotonic(), BURST_TRACEBACKS if record.exc_info else BURST_LINES
            )
            if is_passed:
                record.dropped = self._dropped_counts.pop(kind, 0)
            else:
                self._dropped_counts[kind] = self._dropped_counts.get(kind, 0) + 1
        if not is_passed:
            process_metrics.metrics.increment(process_metrics.LINES_DROPPED)
        return is_passed

    def _has_room(self, kind: tuple[Any, ...], now: float, burst: int) -> bool:
        full_at = max(self._full_at.pop(kind, now), now) + REFILL_SECONDS
        is_late = full_at > now + burst * REFILL_SECONDS
        self._full_at[kind] = full_at - REFILL_SECONDS if is_late else full_at
        if len(self._full_at) > MAX_TRACKED_KINDS:
            oldest_kind, _ = self._full_at.popitem(last=False)
            self._dropped_counts.pop(oldest_kind, None)
        return not is_late


# -- supervisor output ----------------------------------------------------------------------------


def relay_line(name: str, line: str, log_format: str) -> str:
    """A child's line as the supervisor relays it. In the JSON format, plain text becomes JSON."""
    if log_format == TEXT_FORMAT:
        return f"{name:7} | {line}"
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError:
        document = None
    if isinstance(document, dict) and "message" in document:
        return line if "part" in document else dump_json_line({**document, "part": name})
    return format_plain_line(line, log_format, name)


def format_plain_line(line: str, log_format: str, name: str = SUPERVISOR) -> str:
    """A line that does not come from a logger."""
    if log_format == TEXT_FORMAT:
        return line
    return _document_line(name, name, line, logging.INFO)


def format_report(name: str, line: str, level: int, log_format: str) -> str:
    """A line of the supervisor about the process of that name."""
    if log_format == JSON_FORMAT:
        return _document_line(name, SUPERVISOR, line, level)
    time = _format_time(datetime.now(UTC))
    head = f"{time} {logging.getLevelName(level)} {os.getpid()} {SUPERVISOR}"
    return relay_line(name, f"{head}: {line}", log_format)


def _document_line(part: str, logger: str, message: str, level: int) -> str:
    document = {
        "time": _format_time(datetime.now(UTC)),
        "level": logging.getLevelName(level),
        "logger": logger,
        "message": message,
        "part": part,
    }
    return dump_json_line(document)
