"""The tasks that are sent through a broker: links of chains, like bots answering each other, and
busy ones.

The application uses the production settings; the variable BROKER names another broker.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from time import process_time, time
from typing import Any, Final

from celery import Celery
from kombu import Queue
from kombu.transport import virtual

from config.spool import transport

BROKER_PLAN: Final[dict[str, Any]] = json.loads(os.environ["BROKER"])
JOURNAL_FOLDER: Final = Path(BROKER_PLAN["folder"])
LINK_SECONDS: Final = 0.002  # the work of a link

transport.register()
virtual.Transport.polling_interval = transport.POLLING_SECONDS  # one second by default
app = Celery("brokers")
app.config_from_object("config.settings", namespace="CELERY")
app.conf.update(
    broker_url=BROKER_PLAN["url"],
    broker_transport_options=BROKER_PLAN["options"],
    task_queues=[Queue("default")],
    task_routes={},
    worker_enable_remote_control=False,
)


def append_to_journal(name: str, *words: object) -> None:
    """Append a line to a journal; such a short line is written atomically."""
    line = (" ".join(map(str, words)) + "\n").encode()
    journal = os.open(JOURNAL_FOLDER / name, os.O_APPEND | os.O_CREAT | os.O_WRONLY)
    os.write(journal, line)
    os.close(journal)


@app.task  # type: ignore[untyped-decorator]
def link(chain: str, step: int, length: int, sent: float) -> None:
    """Work a little, send the next link, and mark this one done: once, however often it is
    delivered."""
    append_to_journal("started", chain, step, time() - sent)
    done_file = JOURNAL_FOLDER / "done" / f"{chain}.{step}"
    if done_file.exists():
        return
    spin(LINK_SECONDS)
    if step < length:
        link.delay(chain, step + 1, length, time())
    done_file.touch()


@app.task  # type: ignore[untyped-decorator]
def busy(seconds: float) -> None:
    """Use the processor for some seconds, as a thinking bot does."""
    spin(seconds)


def spin(seconds: float) -> None:
    """Use the processor for some seconds."""
    end = process_time() + seconds
    while process_time() < end:
        pass
