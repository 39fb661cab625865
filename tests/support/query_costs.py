"""The cost of a query: how much of the database it reads."""

from __future__ import annotations

import json
from typing import Any

from django.db import connection


def rows_visited(plan: Any) -> float:
    """The number of rows that all steps of a plan have visited."""
    visited = plan.get("Actual Rows", 0) + plan.get("Rows Removed by Filter", 0)
    return float(
        visited * plan.get("Actual Loops", 1) + sum(map(rows_visited, plan.get("Plans", ())))
    )


def analyze_tables() -> None:
    """Let plans and costs follow from the rows alone. On PostgreSQL an index keeps entries of rows
    that earlier tests rolled back, until a vacuum, and the scan of a bitmap counts them."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for table in connection.introspection.table_names(cursor):
                cursor.execute(f"REINDEX TABLE {connection.ops.quote_name(table)}")
        cursor.execute("ANALYZE")


def cost(query: str) -> Any:
    """On PostgreSQL, the rows visited; on SQLite, the tables that are scanned."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + query)
            (plan,) = cursor.fetchone()
            return rows_visited((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"])
        cursor.execute("EXPLAIN QUERY PLAN " + query)
        steps = [str(row[-1]) for row in cursor.fetchall()]
        return [step for step in steps if step.startswith("SCAN")]
