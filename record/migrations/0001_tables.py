"""The tables of the public record, and triggers with which the database itself refuses all changes
of them but growth."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

REFUSED: Final = "the record is append-only"
NEXT: Final = '1 + coalesce((SELECT max("number") FROM {leaves}), -1)'
# a leaf may learn once which game it is about: a blinded one, after a restore
LEAF_CHANGED: Final = """
    NEW."number" <> OLD."number" OR NEW.hash <> OLD.hash OR NEW.text <> OLD.text
    OR (OLD.game IS NOT NULL AND (NEW.game IS NULL OR NEW.game <> OLD.game))
"""
TILE_CHANGED: Final = """
    NEW.level <> OLD.level OR NEW."number" <> OLD."number"
    OR length(NEW.hashes) <= length(OLD.hashes)
    OR substr(NEW.hashes, 1, length(OLD.hashes)) <> OLD.hashes
"""
TREE_CHANGED: Final = """
    NEW.id <> OLD.id OR NEW.size < OLD.size OR (NEW.size = OLD.size AND NEW.root <> OLD.root)
"""
KEY_CHANGED: Final = """
    NEW.vkey <> OLD.vkey OR NEW.use <> OLD.use OR NEW.leaf <> OLD.leaf
    OR (OLD.retired IS NOT NULL AND (NEW.retired IS NULL OR NEW.retired <> OLD.retired))
"""
CHANGES: Final = {
    "leaf": LEAF_CHANGED,
    "tile": TILE_CHANGED,
    "tree": TREE_CHANGED,
    "checkpoint": "",  # refused in any case
    "key": KEY_CHANGED,
}
FUNCTIONS: Final = {
    "record_refuse": f"""
        BEGIN
            RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
        END
    """,
    # volatile, and so it sees the rows that the same statement has already inserted
    "record_follow": f"""
        BEGIN
            IF NEW."number" <> {NEXT.format(leaves="{schema}.record_leaf")} THEN
                RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        END
    """,
}


def when(condition: str) -> str:
    """The clause of a trigger's condition."""
    return f"WHEN ({condition})" if condition else ""


def sqlite_triggers() -> dict[str, str]:
    """The triggers of SQLite by name, without their names."""
    refusal = f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
    updates = {
        f"record_{table}_update": f"BEFORE UPDATE ON record_{table} {when(changed)} {refusal}"
        for table, changed in CHANGES.items()
    }
    deletes = {
        f"record_{table}_delete": f"BEFORE DELETE ON record_{table} {refusal}" for table in CHANGES
    }
    is_gap = f'NEW."number" <> {NEXT.format(leaves="record_leaf")}'
    insert = f"BEFORE INSERT ON record_leaf {when(is_gap)} {refusal}"
    return {**updates, **deletes, "record_leaf_insert": insert}


def postgresql_triggers() -> dict[str, tuple[str, str]]:
    """The triggers of PostgreSQL by name, without their names, after their tables."""
    refusal = "EXECUTE FUNCTION record_refuse()"
    triggers = {}
    for table, changed in CHANGES.items():
        name, on = f"record_{table}", f"ON record_{table}"
        row = f"{on} FOR EACH ROW"
        triggers[f"{name}_update"] = name, f"BEFORE UPDATE {row} {when(changed)} {refusal}"
        triggers[f"{name}_delete"] = name, f"BEFORE DELETE {row} {refusal}"
        triggers[f"{name}_truncate"] = name, f"BEFORE TRUNCATE {on} FOR EACH STATEMENT {refusal}"
    follow = "BEFORE INSERT ON record_leaf FOR EACH ROW EXECUTE FUNCTION record_follow()"
    return {**triggers, "record_leaf_insert": ("record_leaf", follow)}


def laying(vendor: str, schema: str) -> list[str]:
    """The statements that close the record."""
    if vendor == "sqlite":
        return [f"CREATE TRIGGER {name} {body}" for name, body in sqlite_triggers().items()]
    functions = [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql"
        f" SET search_path = pg_catalog, pg_temp AS $${body.replace('{schema}', schema)}$$"
        for name, body in FUNCTIONS.items()
    ]
    triggers = postgresql_triggers()
    laid = [f"CREATE TRIGGER {name} {body}" for name, (_, body) in triggers.items()]
    always = [  # even if session_replication_role is replica
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}" for name, (table, _) in triggers.items()
    ]
    return [*functions, *laid, *always]


def lifting(vendor: str) -> list[str]:
    """The statements that open the record again, for the owner of the database."""
    if vendor == "sqlite":
        return [f"DROP TRIGGER {name}" for name in sqlite_triggers()]
    triggers = postgresql_triggers().items()
    dropped = [f"DROP TRIGGER {name} ON {table}" for name, (table, _) in triggers]
    return [*dropped, *(f"DROP FUNCTION {name}()" for name in FUNCTIONS)]


def schema_of(editor: BaseDatabaseSchemaEditor) -> str:
    """The schema of the tables, quoted; SQLite has none."""
    if editor.connection.vendor == "sqlite":
        return ""
    with editor.connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        (schema,) = cursor.fetchone()
    return str(schema)


def lay(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Close the record."""
    for statement in laying(editor.connection.vendor, schema_of(editor)):
        editor.execute(statement, params=None)


def lift(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Open the record."""
    for statement in lifting(editor.connection.vendor):
        editor.execute(statement, params=None)


class Migration(migrations.Migration):
    initial = True
    dependencies: ClassVar = [("games", "0016_record_leaves")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="Leaf",
            fields=[
                ("number", models.BigIntegerField(primary_key=True, serialize=False)),
                ("hash", models.BinaryField(unique=True)),
                ("game", models.CharField(max_length=40, null=True, unique=True)),
                ("text", models.TextField()),
            ],
            options={"verbose_name_plural": "leaves"},
        ),
        migrations.CreateModel(
            name="Tile",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "level",
                        "number",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("level", models.SmallIntegerField()),
                ("number", models.BigIntegerField()),
                ("hashes", models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name="Tree",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("size", models.BigIntegerField(default=0)),
                ("root", models.BinaryField()),
                ("origin", models.CharField(blank=True, default="", max_length=200)),
                ("guard", models.CharField(blank=True, default="", max_length=32)),
            ],
        ),
        migrations.CreateModel(
            name="SignedCheckpoint",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("size", models.BigIntegerField()),
                ("at", models.DateTimeField()),
                ("note", models.TextField()),
            ],
            options={"db_table": "record_checkpoint"},
        ),
        migrations.CreateModel(
            name="AnnouncedKey",
            fields=[
                ("vkey", models.CharField(max_length=300, primary_key=True, serialize=False)),
                (
                    "use",
                    models.CharField(
                        choices=[("record", "Record"), ("receipts", "Receipts")], max_length=10
                    ),
                ),
                ("leaf", models.BigIntegerField()),
                ("retired", models.BigIntegerField(null=True)),
            ],
            options={"db_table": "record_key"},
        ),
        migrations.RunPython(lay, lift),
    ]
