"""Strict parsing of the pieces of notes, checkpoints and proofs: UTF-8, base64, decimal numbers.

Every value has exactly one accepted spelling, so that two readers never differ about a text.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from typing import Final

from tabularium_log.record.errors import MalformedError

NUMBER_LIMIT: Final = 2**63  # as in the other implementations of these formats
TEXT_BYTES_LIMIT: Final = 2**20
DECIMAL: Final = re.compile(r"0|[1-9][0-9]{0,18}")
CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f]")  # all below the blank but the newline


def decode_text(raw: bytes) -> str:
    """The text of a note or proof: UTF-8 without control characters, within the size limit."""
    if len(raw) > TEXT_BYTES_LIMIT:
        raise MalformedError(f"The text has more than {TEXT_BYTES_LIMIT} bytes.")
    try:
        text = raw.decode()
    except UnicodeDecodeError as problem:
        raise MalformedError(f"The text is not UTF-8: byte {problem.start} is wrong.") from problem
    check_characters(text)
    return text


def check_characters(text: str) -> None:
    """Refuse control characters other than the newline, and lone surrogates."""
    if found := CONTROL.search(text):
        raise MalformedError(f"The text has the control character {found[0]!r}.")
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise MalformedError("The text has a lone surrogate.")


def encode_base64(raw: bytes) -> str:
    """Standard base64, with padding."""
    return b64encode(raw).decode()


def decode_base64(text: str, subject: str) -> bytes:
    """The bytes of standard base64; any other spelling of them is refused."""
    try:
        raw = b64decode(text, validate=True)
    except ValueError as problem:
        raise MalformedError(f"{subject} is not base64: {text[:100]!r}.") from problem
    if encode_base64(raw) != text:
        raise MalformedError(f"{subject} is not in the one valid form of base64: {text[:100]!r}.")
    return raw


def decode_number(text: str, subject: str) -> int:
    """A number in 0 … 2^63-1, in decimal ASCII digits without leading zeroes."""
    if not DECIMAL.fullmatch(text) or int(text) >= NUMBER_LIMIT:
        raise MalformedError(
            f"{subject} is {text[:100]!r}, not a decimal number below 2^63 without leading zeroes."
        )
    return int(text)
