"""Counts: what is taken is counted once, and a fork neither tells it twice nor hangs."""

from __future__ import annotations

import os

from games.figures import Counts


def test_what_is_taken_is_counted_once() -> None:
    counts = Counts()
    counts.add("appends")
    counts.add("appends", 2)
    counts.find("oldest", 7.0)
    assert counts.take() == ({"appends": 3}, {"oldest": 7.0})
    assert counts.take() == ({}, {})


def test_a_fork_begins_at_zero_even_while_its_parent_counts() -> None:
    counts = Counts()
    counts.add("appends")
    with counts._lock:
        child = os.fork()
        if child == 0:
            counts.add("entries")
            os._exit(0 if counts.take() == ({"entries": 1}, {}) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert counts.take() == ({"appends": 1}, {})
