"""What is a bucket? It holds a quota of tokens, gives one to each request, and fills up evenly.

All that has to be kept of it is the moment at which it will be full again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Final, Protocol

MICROSECONDS_PER_SECOND: Final = 1_000_000  # microseconds, in which buckets count


@dataclass(frozen=True)
class RateLimit:
    """So many requests at once, and as many again in so many seconds."""

    name: str
    quota: int
    seconds: int

    @cached_property
    def token_interval(self) -> int:
        """Microseconds in which one token comes back."""
        return max(1, self.seconds * MICROSECONDS_PER_SECOND // self.quota)

    @cached_property
    def fill_time(self) -> int:
        """Microseconds in which an empty bucket fills up."""
        return self.token_interval * self.quota

    @cached_property
    def policy_header(self) -> str:
        """The limit as the field RateLimit-Policy says it."""
        return f'"{self.name}";q={self.quota};w={self.seconds}'

    def tokens_left(self, behind: int) -> int:
        """The tokens in a bucket that will be full in so many microseconds."""
        return max(0, (self.fill_time - behind) // self.token_interval)

    def seconds_until_token(self, behind: int) -> float:
        """Seconds until there is a token in it."""
        return max(0, behind + self.token_interval - self.fill_time) / MICROSECONDS_PER_SECOND


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a request had a token, how many are left, and seconds until there is another."""

    is_granted: bool
    tokens_left: int
    wait_seconds: float = 0.0

    def state_header(self, limit: RateLimit) -> str:
        """The verdict as the field RateLimit says it; `t` is when the whole quota is there."""
        until = ceil(
            (limit.quota - self.tokens_left) * limit.token_interval / MICROSECONDS_PER_SECOND
        )
        return f'"{limit.name}";r={self.tokens_left};t={until}'

    @property
    def retry_after(self) -> int:
        """Whole seconds to wait."""
        return max(1, ceil(self.wait_seconds))


class Buckets(Protocol):
    """Where buckets are kept."""

    def take(self, limit: RateLimit, caller: str) -> Verdict:
        """A token out of the caller's bucket, if there is one."""

    def give_back(self, limit: RateLimit, caller: str) -> None:
        """A token that was not needed."""
