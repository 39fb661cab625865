"""The maximum lengths of database columns that tables of several apps share."""

from __future__ import annotations

from typing import Final

ID_LENGTH: Final = 40
NAME_BYTES: Final = 400  # of at most 60 characters as people count them
HASH_LENGTH: Final = 64
REASON_LENGTH: Final = 200
