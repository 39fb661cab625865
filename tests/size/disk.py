"""The size of logs on the disk."""

from __future__ import annotations

from typing import NamedTuple

from django.db import connection

PAGES_OF_SQLITE = """
    SELECT sum(CASE WHEN name = 'games_entry' THEN pgsize ELSE 0 END), sum(pgsize) FROM dbstat
    WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = 'games_entry')
"""
PAGES_OF_POSTGRESQL = """
    SELECT pages, pages + pg_relation_size('games_entry_pkey') FROM (
        SELECT pg_relation_size(oid) + pg_relation_size(reltoastrelid) AS pages
        FROM pg_class WHERE oid = 'games_entry'::regclass
    ) AS heap
"""


class EntrySize(NamedTuple):
    """The bytes of an entry: on average, of the pages that hold all of them."""

    row: float
    with_indexes: float

    def __str__(self) -> str:
        return f"{self.row:.0f} bytes an entry, {self.with_indexes:.0f} with the indexes"


def entry_size() -> EntrySize:
    """The size of the entries that are stored."""
    is_on_server = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        if is_on_server:
            cursor.execute("VACUUM games_entry")
        cursor.execute(PAGES_OF_POSTGRESQL if is_on_server else PAGES_OF_SQLITE)
        row_bytes, all_bytes = cursor.fetchone()
        cursor.execute("SELECT count(*) FROM games_entry")
        (entries,) = cursor.fetchone()
    return EntrySize(int(row_bytes) / entries, int(all_bytes) / entries)
