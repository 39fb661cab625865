"""Settings of the connection limits, from TABULARIUM_… variables."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True)
class ConnectionLimits:
    """Limits in seconds, bytes and numbers of connections."""

    # seconds from the connection, or the first byte, to the end of a head
    head_seconds: float = 10.0
    idle_seconds: float = 75.0  # seconds between two requests
    body_seconds: float = 15.0  # seconds for a body, plus one per `body_bytes_per_second` bytes
    body_bytes_per_second: int = 4096  # bytes per second
    max_body_seconds: float = 300.0  # seconds for a whole body
    # seconds in which a client must read some of its reply
    reply_stall_seconds: float = 30.0
    linger_seconds: float = 5.0  # seconds in which the rest of a refused request is discarded
    max_discarded_bytes: int = 64 << 20  # bytes of that rest
    max_connections: int = 10_000  # open at once
    max_connections_per_address: int = 1_000  # from one address

    @classmethod
    def from_settings(cls, descriptors: int) -> ConnectionLimits:
        """The operator's settings, as far as the process has descriptors for them."""
        max_connections = min(settings.CONNECTIONS, max_connections_for(descriptors))
        return cls(
            head_seconds=settings.HEAD_SECONDS,
            idle_seconds=settings.IDLE_SECONDS,
            body_seconds=settings.BODY_SECONDS,
            reply_stall_seconds=settings.REPLY_SECONDS,
            max_connections=max_connections,
            max_connections_per_address=min(settings.CONNECTIONS_EACH, max_connections),
        )


RESERVED_DESCRIPTORS = 256  # for the database, temporary files, the broker and modules


def max_connections_for(descriptors: int) -> int:
    """The connections for which descriptors remain after the rest of the process."""
    return max(descriptors // 4, descriptors - RESERVED_DESCRIPTORS)
