"""The bounds that hold for every connection, from TABULARIUM_… variables."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True)
class Bounds:
    """Seconds, bytes and numbers of connections."""

    head: float = 10.0  # seconds from the connection, or the first byte, to the end of a head
    idle: float = 75.0  # seconds between two requests
    body: float = 15.0  # seconds for a body, and one more for every `rate` bytes that came
    rate: int = 4096  # bytes per second
    longest: float = 300.0  # seconds for the whole of a body
    reply: float = 30.0  # seconds in which a client has to take something of its reply
    linger: float = 5.0  # seconds in which the rest of a refused request is discarded
    discarded: int = 64 << 20  # bytes of it
    connections: int = 10_000  # open at once
    each: int = 1_000  # from one address

    @classmethod
    def configured(cls, descriptors: int) -> Bounds:
        """What the operator wants, as far as the process has descriptors for it."""
        most = min(settings.CONNECTIONS, affordable(descriptors))
        return cls(
            head=settings.HEAD_SECONDS,
            idle=settings.IDLE_SECONDS,
            body=settings.BODY_SECONDS,
            reply=settings.REPLY_SECONDS,
            connections=most,
            each=min(settings.CONNECTIONS_EACH, most),
        )


RESERVED = 256  # descriptors for the database, temporary files, the broker and modules


def affordable(descriptors: int) -> int:
    """The connections for which there are descriptors, when the rest of the process has its own."""
    return max(descriptors // 4, descriptors - RESERVED)
