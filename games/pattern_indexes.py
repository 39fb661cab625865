"""Pattern indexes: for each indexed text column on PostgreSQL, Django creates a second index that
serves only LIKE with a fixed beginning. No query needs one, so that they are dropped after each
migration: they take as much disk and as many writes as the others."""

from __future__ import annotations

from typing import Any, Final

from django.db import connections

FIND: Final = """
    SELECT DISTINCT format('%I.%I', space.nspname, class.relname) FROM pg_index AS index
        JOIN pg_class AS class ON class.oid = index.indexrelid
        JOIN pg_namespace AS space ON space.oid = class.relnamespace
        JOIN pg_opclass AS operators ON operators.oid = ANY (index.indclass)
    WHERE space.nspname = current_schema()
        AND operators.opcname IN ('varchar_pattern_ops', 'text_pattern_ops')
        AND NOT index.indisunique
"""


def drop_pattern_indexes(using: str = "default", **_: Any) -> None:
    """Drop all of them; a receiver of `post_migrate`."""
    connection = connections[using]
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(FIND, None)
        for (index,) in cursor.fetchall():
            cursor.execute(f"DROP INDEX {index}")
