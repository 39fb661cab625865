"""The two ways in which a text of the record is refused: malformed, or not verified."""

from __future__ import annotations


class RecordError(ValueError):
    """A refused input, with a sentence that states the reason."""


class MalformedError(RecordError):
    """The input is not in its format."""


class UnverifiedError(RecordError):
    """The input is in its format, but a signature or a hash in it does not fit."""
