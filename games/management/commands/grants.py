"""`manage.py grants ROLE`: print the SQL `GRANT` statements that give a PostgreSQL role the rights
it needs to serve games, and no others, so that it cannot alter their logs. The owner of the tables
runs them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from games.models import Entry, Game, OldEntry, ServerKey

TABLE_RIGHTS: Final = {
    Entry._meta.db_table: "SELECT, INSERT",
    OldEntry._meta.db_table: "SELECT",
    Game._meta.db_table: "SELECT, INSERT, UPDATE",
    ServerKey._meta.db_table: "SELECT, INSERT, UPDATE",
    # of the public record, which is no part of this app
    **dict.fromkeys(
        ("record_checkpoint", "record_cosignature", "record_evidence"), "SELECT, INSERT"
    ),
    **dict.fromkeys(
        ("record_key", "record_leaf", "record_tile", "record_tree", "record_witnessed"),
        "SELECT, INSERT, UPDATE",
    ),
    "django_migrations": "SELECT",
}
DEFAULT_RIGHTS: Final = "SELECT, INSERT, UPDATE, DELETE"


class Command(BaseCommand):
    """Print the SQL."""

    help = "Print the SQL that grants a PostgreSQL role only the rights to serve games."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("role")

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "postgresql":
            raise CommandError("Only PostgreSQL has roles: set DATABASE_URL.")
        self.stdout.write("\n".join(grant_statements(options["role"])))


def grant_statements(name: str) -> Iterator[str]:
    """The statements that give this role its rights to these tables, and revoke all others."""
    role = quote_identifier(name)
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        (schema,) = map(quote_identifier, cursor.fetchone())
    yield f"GRANT USAGE ON SCHEMA {schema} TO {role};"
    yield f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {role};"
    for table in sorted(connection.introspection.table_names()):
        qualified_name = f"{schema}.{quote_identifier(table)}"
        yield f"REVOKE ALL ON {qualified_name} FROM {role};"
        yield f"GRANT {TABLE_RIGHTS.get(table, DEFAULT_RIGHTS)} ON {qualified_name} TO {role};"


def quote_identifier(name: str) -> str:
    """A name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'
