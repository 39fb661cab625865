"""The Content-Security-Policies of the pages: they run and load only files of this server, and
make elements of text only through the one policy for pictures."""

from __future__ import annotations

from typing import Final

_COMMON: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types picture"
)
PAGE_POLICY: Final = f"{_COMMON}; frame-ancestors 'self'"
EMBEDDED_POLICY: Final = f"{_COMMON}; frame-ancestors *"  # of a table without a key
