"""The judgement on a crowd's records: replies inside and outside the windows of faults, readiness,
late replies and unended games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field
from math import ceil
from typing import Any, Final, NamedTuple

from tests.chaos.readiness_check import LATENCY_SLACK, READY, ReadinessReply

UNANSWERED: Final = 0  # the status of a request without a reply
LONG_POLL: Final = "long poll"
STREAM: Final = "stream"
WAITING_KINDS: Final = (LONG_POLL, STREAM)  # whose times are those of the game
HONEST_CODES: Final = frozenset({"unavailable", "not-ready", "busy", "overloaded"})
REPORTING_LIMIT: Final = 15.0  # seconds in which readiness must report a fault that lasts so long
RECOVERY_LIMIT: Final = 30.0  # seconds from the end of a fault until every host is ready again
STEADY_REPLIES: Final = 3  # in a row make a host ready again
MIN_JUDGED: Final = 100  # of fewer replies, the 99th percentile is the slowest


class Answer(NamedTuple):
    """A request, and the status and the code of its reply."""

    kind: str
    host: str
    sent_at: float  # by the monotonic clock
    answered_at: float
    status: int
    code: str

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.answered_at - self.sent_at


@dataclass
class Window:
    """A fault, and how readiness reported it: the seconds from its start until a host was not
    ready, and from its end until the host was ready again."""

    kind: str
    host: str  # "" if it is felt by every host
    started_at: float
    healed_at: float = 0.0
    reported_seconds: dict[str, float | None] = field(default_factory=dict)  # by host
    recovery_seconds: dict[str, float | None] = field(default_factory=dict)

    @property
    def is_long(self) -> bool:
        """Whether it lasts so long that readiness must report it."""
        return self.healed_at - self.started_at > REPORTING_LIMIT

    @property
    def end(self) -> float:
        """The end of the time in which replies may fail."""
        known = [each for each in self.recovery_seconds.values() if each is not None]
        is_known = len(known) == len(self.recovery_seconds) > 0
        return self.healed_at + (min(max(known), RECOVERY_LIMIT) if is_known else RECOVERY_LIMIT)

    def includes(self, answer: Answer) -> bool:
        """Whether any part of a request falls into it."""
        return answer.sent_at <= self.end and answer.answered_at >= self.started_at

    def document(self) -> dict[str, Any]:
        """The window as JSON."""
        return {**asdict(self), "lasted": round(self.healed_at - self.started_at, 1)}


def measure_readiness(window: Window, replies: Mapping[str, Sequence[ReadinessReply]]) -> None:
    """Enter when each affected host reported the fault, and when each host was ready again."""
    for host, host_replies in replies.items():
        if window.host in ("", host):
            window.reported_seconds[host] = _reported_seconds(window, host_replies)
        window.recovery_seconds[host] = _recovery_seconds(window, host_replies)


def _reported_seconds(window: Window, replies: Sequence[ReadinessReply]) -> float | None:
    times = (
        reply.answered_at - window.started_at
        for reply in replies
        if reply.status != READY and window.started_at <= reply.requested_at <= window.healed_at
    )
    return next(times, None)


def _recovery_seconds(window: Window, replies: Sequence[ReadinessReply]) -> float | None:
    steady: list[ReadinessReply] = []
    for reply in replies:
        if reply.requested_at < window.healed_at or reply.status != READY:
            steady.clear()
            continue
        steady.append(reply)
        if len(steady) == STEADY_REPLIES:
            return steady[0].answered_at - window.healed_at
    return None


# -- the faults of a run ---------------------------------------------------------------------------


def answer_faults(answers: Sequence[Answer], windows: Sequence[Window]) -> list[str]:
    """Every failed reply outside the windows, and every one inside them that is no honest 503."""
    counts: Counter[str] = Counter()
    for answer in answers:
        if answer.status != UNANSWERED and answer.status < 500:
            continue
        is_inside = any(window.includes(answer) for window in windows)
        if is_inside and (answer.status == UNANSWERED or is_honest(answer)):
            continue
        place = "inside" if is_inside else "outside"
        result = f"{answer.status} {answer.code}" if answer.status else f"none ({answer.code})"
        counts[f"{place} the windows, {answer.kind} on {answer.host} was answered {result}"] += 1
    return [f"{description}, {count} times" for description, count in sorted(counts.items())]


def is_honest(answer: Answer) -> bool:
    """Whether it is the reply of a service that a fault disturbs. A stream's code is not read."""
    return answer.status == 503 and (answer.kind == STREAM or answer.code in HONEST_CODES)


def readiness_faults(windows: Sequence[Window]) -> Iterator[str]:
    """Every fault that readiness reported late or not at all, and every late recovery."""
    for window in windows:
        for host, seconds in window.reported_seconds.items():
            if seconds is None and window.is_long:
                yield f"{window.kind}: host {host} was ready all the time"
            elif seconds is not None and seconds > REPORTING_LIMIT + LATENCY_SLACK:
                yield f"{window.kind}: host {host} reported it after {seconds:.1f} s"
        for host, seconds in window.recovery_seconds.items():
            if seconds is None or seconds > RECOVERY_LIMIT:
                time = "not" if seconds is None else f"only after {seconds:.1f} s"
                yield f"{window.kind}: host {host} was {time} ready again"


def unended_games(begun: Set[str], ended: Set[str]) -> Iterator[str]:
    """Every game whose people have not seen its end."""
    yield from (f"{game}: its people did not see its end" for game in sorted(begun - ended))


# -- times -----------------------------------------------------------------------------------------


class Times(NamedTuple):
    """The times of one kind of request, in seconds."""

    replies: int
    p50: float
    p99: float


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of the sorted values does not exceed."""
    return values[max(0, ceil(share * len(values)) - 1)]


def times_by_kind(answers: Sequence[Answer], windows: Sequence[Window]) -> dict[str, Times]:
    """The times of the replies outside all windows, by kind of request."""
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    for answer in answers:
        if answer.kind in WAITING_KINDS or answer.status == UNANSWERED:
            continue
        if not any(window.includes(answer) for window in windows):
            seconds[answer.kind].append(answer.seconds)
    return {
        kind: Times(len(values), percentile(values, 0.5), percentile(values, 0.99))
        for kind, values in ((kind, sorted(each)) for kind, each in sorted(seconds.items()))
    }


def late_kinds(times: Mapping[str, Times], max_ratio: float) -> Iterator[str]:
    """Every kind of request whose 99th percentile is too far above its median."""
    for kind, each in times.items():
        if each.replies >= MIN_JUDGED and each.p99 > max_ratio * each.p50:
            ratio = each.p99 / each.p50
            yield f"{kind}: p99 {1000 * each.p99:.0f} ms is {ratio:.1f} × p50"


def statuses(
    answers: Sequence[Answer], windows: Sequence[Window], *, is_inside: bool
) -> dict[str, int]:
    """The number of replies by status, inside or outside the windows."""
    counts = Counter(
        str(answer.status or "none")
        for answer in answers
        if any(window.includes(answer) for window in windows) == is_inside
    )
    return dict(sorted(counts.items()))
