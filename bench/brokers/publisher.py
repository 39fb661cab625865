"""`python -m bench.brokers.publisher <chains> <links> <singles>`: publish chains and single tasks,
and note each that was accepted. Killed and started again, it goes on where it was."""

from __future__ import annotations

import sys
from contextlib import ExitStack, suppress
from time import sleep, time

from bench.brokers.broker_tasks import BROKER_PLAN, JOURNAL_FOLDER, app, append_to_journal, link


def accepted_names() -> set[str]:
    """What an earlier publisher has noted."""
    journal = JOURNAL_FOLDER / "accepted"
    return set(journal.read_text().split()) if journal.exists() else set()


def publish_tasks(started: int, links: int, singles: int) -> None:
    """The chains, then a single task now and then."""
    before = accepted_names()
    chains = [(f"chain{number}", links) for number in range(started)]
    for name, length in [*chains, *((f"single{number}", 0) for number in range(singles))]:
        while name not in before:
            with suppress(Exception):  # the broker is down just now
                link.delay(name, 0, length, time())
                append_to_journal("accepted", name)
                break
            sleep(0.1)
        if length == 0 and name not in before:
            sleep(0.02)


def main() -> None:
    """With a worker beside it, if the broker does not reach further."""
    with ExitStack() as stack:
        if BROKER_PLAN["in_one_process"]:
            from celery.contrib.testing.worker import start_worker

            stack.enter_context(
                start_worker(app, pool="threads", concurrency=2, perform_ping_check=False)
            )
        publish_tasks(*map(int, sys.argv[1:4]))
        append_to_journal("published", "all")
        while BROKER_PLAN["in_one_process"]:
            sleep(1)


if __name__ == "__main__":
    main()
