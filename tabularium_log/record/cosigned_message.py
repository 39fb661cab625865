"""The bytes of a cosignature as in C2SP tlog-cosignature, with Ed25519: its time and its signature,
and the message under that signature."""

from __future__ import annotations

from typing import Final

from tabularium_log.record.errors import MalformedError
from tabularium_log.record.strict_text import NUMBER_LIMIT

TIME_BYTES: Final = 8
SIGNATURE_BYTES: Final = 64


def message_of(text: bytes, time: int) -> bytes:
    """The message that a witness signs: the time, in seconds, and the whole text of a note."""
    return b"cosignature/v1\ntime %d\n" % time + text


def encode_cosignature(time: int, signature: bytes) -> bytes:
    """The value of a signature line."""
    if not 0 < time < NUMBER_LIMIT:
        raise MalformedError(f"{time} is not the time of a cosignature.")
    return time.to_bytes(TIME_BYTES) + signature


def parse_cosignature(value: bytes) -> tuple[int, bytes]:
    """The time and the signature in the value of a signature line."""
    if len(value) != TIME_BYTES + SIGNATURE_BYTES:
        raise MalformedError(
            f"A cosignature has {TIME_BYTES + SIGNATURE_BYTES} bytes, not {len(value)}."
        )
    time = int.from_bytes(value[:TIME_BYTES])
    if time >= NUMBER_LIMIT:
        raise MalformedError("The time of a cosignature is not below 2^63.")
    return time, value[TIME_BYTES:]
