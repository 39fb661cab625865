"""Token buckets: a bucket holds a quota of tokens, gives one to each request, and refills evenly.

Its only stored value is the moment at which it will be full again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import Final, Protocol

MICROSECONDS_PER_SECOND: Final = 1_000_000  # buckets count in microseconds


@dataclass(frozen=True)
class RateLimit:
    """At most `quota` requests at once, regained over `seconds`."""

    name: str
    quota: int
    seconds: int

    @cached_property
    def token_interval(self) -> int:
        """Microseconds in which one token is regained."""
        return max(1, self.seconds * MICROSECONDS_PER_SECOND // self.quota)

    @cached_property
    def fill_time(self) -> int:
        """Microseconds in which an empty bucket fills up."""
        return self.token_interval * self.quota

    @cached_property
    def policy_header(self) -> str:
        """The value of the RateLimit-Policy header."""
        return f'"{self.name}";q={self.quota};w={self.seconds}'

    def tokens_left(self, behind: int) -> int:
        """The tokens in a bucket that will be full in so many microseconds."""
        return max(0, (self.fill_time - behind) // self.token_interval)

    def seconds_until_token(self, behind: int) -> float:
        """Seconds until the bucket has a token."""
        return max(0, behind + self.token_interval - self.fill_time) / MICROSECONDS_PER_SECOND


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a request got a token, the tokens left, and the seconds until the next one."""

    is_granted: bool
    tokens_left: int
    wait_seconds: float = 0.0

    def state_header(self, limit: RateLimit) -> str:
        """The value of the RateLimit header; `t` is the seconds until the whole quota is there."""
        until = ceil(
            (limit.quota - self.tokens_left) * limit.token_interval / MICROSECONDS_PER_SECOND
        )
        return f'"{limit.name}";r={self.tokens_left};t={until}'

    @property
    def retry_after(self) -> int:
        """Whole seconds to wait."""
        return max(1, ceil(self.wait_seconds))


class Buckets(Protocol):
    """A store of buckets."""

    def take(self, limit: RateLimit, caller: str) -> Verdict:
        """Take a token from the caller's bucket, if there is one."""

    def give_back(self, limit: RateLimit, caller: str) -> None:
        """Return a token that was not needed."""
