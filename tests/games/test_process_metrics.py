"""Metrics: a drained count is reported once, and a forked process neither repeats it nor hangs."""

from __future__ import annotations

import os

from games.process_metrics import MetricRegistry


def test_what_is_taken_is_counted_once() -> None:
    counts = MetricRegistry()
    counts.increment("appends")
    counts.increment("appends", 2)
    counts.set_gauge("oldest", 7.0)
    assert counts.drain() == ({"appends": 3}, {"oldest": 7.0})
    assert counts.drain() == ({}, {})


def test_a_fork_begins_at_zero_even_while_its_parent_counts() -> None:
    counts = MetricRegistry()
    counts.increment("appends")
    with counts._lock:
        child = os.fork()
        if child == 0:
            counts.increment("entries")
            os._exit(0 if counts.drain() == ({"entries": 1}, {}) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert counts.drain() == ({"appends": 1}, {})
