"""The seals of many entries, made quickly from their written actions and draws."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Final, NamedTuple, TypeAlias

import orjson

from tabularium_engines.common.json_codec import Json
from tabularium_log.fairness.canonical_json import OPTIONS
from tabularium_log.fairness.committed_draws import FieldSalts
from tabularium_log.projection.entry import DRAWS_POINTER, action_pointer, sealed_value

CACHED_SEALINGS: Final = 1_000
WHOLE_ACTION: Final = action_pointer("")
# an action as the rules write it, as a document and in canonical form, and its draws
WrittenAction: TypeAlias = tuple[Json, str, Sequence[Sequence[int]] | None]


class Sealing(NamedTuple):
    """The sealed fields of an entry."""

    paths: str  # as in the column: sorted, a space between two
    quoted_paths: tuple[tuple[str, str], ...]  # each path, also as JSON


@lru_cache(CACHED_SEALINGS)
def sealing(pointers: tuple[str, ...], *, has_draws: bool) -> Sealing:
    """The sealing of these fields of an action, and of the draws; ValueError for paths that could
    not be read back from their column or their text."""
    paths = sorted([*pointers, DRAWS_POINTER] if has_draws else pointers)
    column = " ".join(paths)
    quoted = tuple((path, orjson.dumps(path).decode()) for path in paths)
    is_plain = all(quoted_path == f'"{path}"' for path, quoted_path in quoted)
    if not (is_plain and column.isascii() and column.split() == paths):
        raise ValueError(f"no entry has such paths: {paths}")
    return Sealing(column, quoted)


def make_seals(
    salts: FieldSalts, seq: int, sealed: Sealing, action: WrittenAction
) -> tuple[bytes, str]:
    """The seals of an entry as they stand in its column, and as they stand in its text."""
    column, members = b"", []
    for path, quoted_path in sealed.quoted_paths:
        value = _sealed_text(path, action) if action[2] or path != DRAWS_POINTER else "[]"
        salt = salts.salt(seq, quoted_path)
        seal = sha256(salt + f"[{quoted_path},{value}]".encode()).digest()
        column += seal
        members.append(f'{quoted_path}:"{seal.hex()}"')
    return column, ",".join(members)


def _sealed_text(path: str, action: WrittenAction) -> str:
    """The value of a sealed field in canonical form."""
    document, text, draws = action
    if path == DRAWS_POINTER:
        return orjson.dumps(draws).decode()
    if path == WHOLE_ACTION:
        return text
    return orjson.dumps(sealed_value(document, path), option=OPTIONS).decode()
