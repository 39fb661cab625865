"""`python -m bench.brokers.publisher <chains> <links> <singles>`: publish chains and single tasks,
and record each accepted one. When killed and restarted, it continues where it was."""

from __future__ import annotations

import sys
from contextlib import ExitStack, suppress
from time import sleep, time

from bench.brokers.broker_tasks import BROKER_PLAN, JOURNAL_FOLDER, app, append_to_journal, link


def accepted_names() -> set[str]:
    """The names recorded by an earlier publisher."""
    journal = JOURNAL_FOLDER / "accepted"
    return set(journal.read_text().split()) if journal.exists() else set()


def publish_tasks(chain_count: int, links: int, singles: int) -> None:
    """Publish the chains, then a single task now and then."""
    accepted = accepted_names()
    chains = [(f"chain{number}", links) for number in range(chain_count)]
    for name, length in [*chains, *((f"single{number}", 0) for number in range(singles))]:
        while name not in accepted:
            with suppress(Exception):  # the broker is down at the moment
                link.delay(name, 0, length, time())
                append_to_journal("accepted", name)
                break
            sleep(0.1)
        if length == 0 and name not in accepted:
            sleep(0.02)


def main() -> None:
    """Publish; with a worker in this process, if the broker works only within one."""
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
