"""The table of entries without the parts of their texts that are stored elsewhere. The table there
was becomes the old table, which is only read; its games are moved later (games/log_mover.py)."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar, Final

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

guards: Final[Any] = import_module("games.migrations.0002_append_only")

READ_ONLY: Final = "the log is append-only: the old table is only read"
SQLITE: Final = {
    f"oldentry_{change.lower()}": f"""
        BEFORE {change} ON games_oldentry
        BEGIN SELECT RAISE(ABORT, '{READ_ONLY}'); END
    """
    for change in ("UPDATE", "DELETE", "INSERT")
}
POSTGRESQL: Final = {
    "oldentry_change": """
        BEFORE INSERT OR UPDATE OR DELETE ON games_oldentry
        FOR EACH ROW EXECUTE FUNCTION games_only_read()
    """,
    "oldentry_truncate": """
        BEFORE TRUNCATE ON games_oldentry
        FOR EACH STATEMENT EXECUTE FUNCTION games_only_read()
    """,
}
# of its own, so that the guards of entries can be lifted with their functions
FUNCTION: Final = f"""
    CREATE FUNCTION games_only_read() RETURNS trigger LANGUAGE plpgsql
    {guards.POSTGRESQL_SETTINGS} AS $$
        BEGIN
            RAISE EXCEPTION '{READ_ONLY}' USING ERRCODE = 'integrity_constraint_violation';
        END
    $$
"""
ENTRY: Final = "entry_"  # begins the names of the guards of entries


def lay_on_old(vendor: str) -> list[str]:
    """The statements that close the old table."""
    if vendor == "sqlite":
        return [f"CREATE TRIGGER {name} {body}" for name, body in SQLITE.items()]
    return [
        statement
        for name, body in POSTGRESQL.items()
        for statement in (
            f"CREATE TRIGGER {name} {body}",
            f"ALTER TABLE games_oldentry ENABLE ALWAYS TRIGGER {name}",
        )
    ]


def lift_from_old(vendor: str) -> list[str]:
    """The statements that open it, for the owner of the database."""
    if vendor == "sqlite":
        return [f"DROP TRIGGER {name}" for name in SQLITE]
    return [f"DROP TRIGGER {name} ON games_oldentry" for name in POSTGRESQL]


def lay_on_entries(vendor: str) -> list[str]:
    """The statements that close the table of entries; the functions are there."""
    if vendor == "sqlite":
        bodies = guards.SQLITE.items()
        return [f"CREATE TRIGGER {name} {body}" for name, body in bodies if name.startswith(ENTRY)]
    return [
        statement
        for name, body in guards.POSTGRESQL.items()
        if name.startswith(ENTRY)
        for statement in (
            f"CREATE TRIGGER {name} {body}",
            f"ALTER TABLE games_entry ENABLE ALWAYS TRIGGER {name}",
        )
    ]


def lift_from_entries(vendor: str) -> list[str]:
    """The statements that open it."""
    if vendor == "sqlite":
        return [f"DROP TRIGGER {name}" for name in guards.SQLITE if name.startswith(ENTRY)]
    return [
        f"DROP TRIGGER {name} ON games_entry"
        for name in guards.POSTGRESQL
        if name.startswith(ENTRY)
    ]


def renaming(vendor: str, old: str, new: str) -> list[str]:
    """The statements that rename a table, and its index on PostgreSQL."""
    statements = [f"ALTER TABLE games_{old} RENAME TO games_{new}"]
    if vendor == "postgresql":
        statements.append(f"ALTER INDEX games_{old}_pkey RENAME TO games_{new}_pkey")
    return statements


def set_aside(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Rename the table there was, and close it."""
    vendor = editor.connection.vendor
    statements = [*lift_from_entries(vendor), *renaming(vendor, "entry", "oldentry")]
    function = [FUNCTION] if vendor == "postgresql" else []
    execute(editor, [*statements, *function, *lay_on_old(vendor)])


def put_back(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Give the old table its name back."""
    vendor = editor.connection.vendor
    function = ["DROP FUNCTION games_only_read()"] if vendor == "postgresql" else []
    renames = renaming(vendor, "oldentry", "entry")
    execute(editor, [*function, *renames, *lay_on_entries(vendor)])


def close(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Close the table of entries."""
    execute(editor, lay_on_entries(editor.connection.vendor))


def move_back(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Add to the old table what it lacks, and open both."""
    from games import log_mover  # noqa: PLC0415  # it needs the models of today

    vendor = editor.connection.vendor
    execute(editor, lift_from_old(vendor))
    log_mover.fill_old_table()
    if vendor == "postgresql":
        execute(editor, ["SET CONSTRAINTS ALL IMMEDIATE"])  # pending ones would block the tables
    execute(editor, lift_from_entries(vendor))


def execute(editor: BaseDatabaseSchemaEditor, statements: list[str]) -> None:
    """Execute these statements."""
    for statement in statements:
        editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0013_declined_challenges")]

    operations: ClassVar = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Entry", "OldEntry"),
                migrations.AlterField(
                    "OldEntry",
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="old_entries",
                        to="games.game",
                    ),
                ),
                migrations.AlterModelOptions("OldEntry", {"verbose_name_plural": "old entries"}),
            ],
            database_operations=[migrations.RunPython(set_aside, put_back)],
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "game", "seq", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("at", models.BigIntegerField()),
                ("seq", models.PositiveIntegerField()),
                ("seat", models.SmallIntegerField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="games.game",
                    ),
                ),
                ("action", models.TextField()),
                ("paths", models.TextField(blank=True)),
                ("seals", models.BinaryField(blank=True)),
                ("hash", models.BinaryField()),
                ("box", models.BinaryField(blank=True)),
            ],
            options={"verbose_name_plural": "entries"},
        ),
        migrations.RunPython(close, move_back),
    ]
