"""The fixture of the tests that paste pages: the machine of their readers."""

from tests.docs.reader import machine

__all__ = ["machine"]
