"""A part that floods the output leaves room for the others."""

from __future__ import annotations

from config.supervisor.child_process import OutputThrottle


def test_so_many_lines_pass_in_a_second_and_the_others_are_counted() -> None:
    now = [0.0]
    throttle = OutputThrottle(3, lambda: now[0])
    assert list(throttle.filter_lines([b"a", b"b"])) == [b"a", b"b"]
    assert list(throttle.filter_lines([b"c", b"d", b"e"])) == [b"c"]
    assert list(throttle.filter_lines([b"f"])) == []
    now[0] = 1.0
    assert list(throttle.filter_lines([b"g"])) == [b"(3 lines were left out)", b"g"]
    assert list(throttle.filter_lines([b"h", b"i", b"j"])) == [b"h", b"i"]
    assert list(throttle.report_dropped()) == [b"(1 lines were left out)"]
    assert list(throttle.report_dropped()) == []
