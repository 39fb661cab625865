"""The tables of the witness and of the witnesses that are asked, and triggers with which the
database refuses that a tree goes back and that evidence or cosignatures are changed."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

REFUSED: Final = "the witness forgets nothing"
WITNESSED_CHANGED: Final = """
    WHEN (NEW.log <> OLD.log OR NEW.origin <> OLD.origin OR NEW.size < OLD.size
        OR (NEW.size = OLD.size AND NEW.root <> OLD.root))
"""
CHANGES: Final = {"witnessed": WITNESSED_CHANGED, "evidence": "", "cosignature": ""}
FUNCTION: Final = "record_witness_refuse"


def sqlite_triggers() -> dict[str, str]:
    """The triggers of SQLite by name, without their names."""
    refusal = f"BEGIN SELECT RAISE(ABORT, '{REFUSED}'); END"
    triggers = {}
    for table, changed in CHANGES.items():
        name = f"record_{table}"
        triggers[f"{name}_update"] = f"BEFORE UPDATE ON {name} {changed} {refusal}"
        triggers[f"{name}_delete"] = f"BEFORE DELETE ON {name} {refusal}"
    return triggers


def postgresql_triggers() -> dict[str, tuple[str, str]]:
    """The triggers of PostgreSQL by name, without their names, after their tables."""
    refusal = f"EXECUTE FUNCTION {FUNCTION}()"
    triggers = {}
    for table, changed in CHANGES.items():
        name, on = f"record_{table}", f"ON record_{table}"
        row = f"{on} FOR EACH ROW"
        triggers[f"{name}_update"] = name, f"BEFORE UPDATE {row} {changed} {refusal}"
        triggers[f"{name}_delete"] = name, f"BEFORE DELETE {row} {refusal}"
        triggers[f"{name}_truncate"] = name, f"BEFORE TRUNCATE {on} FOR EACH STATEMENT {refusal}"
    return triggers


def laying(vendor: str) -> list[str]:
    """The statements that close the tables."""
    if vendor == "sqlite":
        return [f"CREATE TRIGGER {name} {body}" for name, body in sqlite_triggers().items()]
    function = f"""
        CREATE FUNCTION {FUNCTION}() RETURNS trigger LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            RAISE EXCEPTION '{REFUSED}' USING ERRCODE = 'integrity_constraint_violation';
        END
        $$
    """
    triggers = postgresql_triggers()
    laid = [f"CREATE TRIGGER {name} {body}" for name, (_, body) in triggers.items()]
    always = [  # even if session_replication_role is replica
        f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}" for name, (table, _) in triggers.items()
    ]
    return [function, *laid, *always]


def lifting(vendor: str) -> list[str]:
    """The statements that open the tables again, for the owner of the database."""
    if vendor == "sqlite":
        return [f"DROP TRIGGER {name}" for name in sqlite_triggers()]
    triggers = postgresql_triggers().items()
    dropped = [f"DROP TRIGGER {name} ON {table}" for name, (table, _) in triggers]
    return [*dropped, f"DROP FUNCTION {FUNCTION}()"]


def lay(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Close the tables."""
    for statement in laying(editor.connection.vendor):
        editor.execute(statement, params=None)


def lift(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Open the tables."""
    for statement in lifting(editor.connection.vendor):
        editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("record", "0001_tables")]
    operations: ClassVar = [
        migrations.AlterField(  # which changes no table
            model_name="announcedkey",
            name="use",
            field=models.CharField(
                choices=[("record", "Record"), ("receipts", "Receipts"), ("witness", "Witness")],
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="Witnessed",
            fields=[
                ("log", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("origin", models.CharField(max_length=200)),
                ("size", models.BigIntegerField(default=0)),
                ("root", models.BinaryField()),
                ("note", models.TextField(blank=True, default="")),
                ("at", models.DateTimeField()),
            ],
            options={"verbose_name_plural": "witnessed"},
        ),
        migrations.CreateModel(
            name="Evidence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("log", models.CharField(max_length=64)),
                ("origin", models.CharField(max_length=200)),
                (
                    "kind",
                    models.CharField(
                        choices=[("fork", "Fork"), ("unproven", "Unproven")], max_length=10
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("size", models.BigIntegerField()),
                ("note", models.TextField()),
                ("against", models.TextField()),
                ("at", models.DateTimeField()),
            ],
            options={"verbose_name_plural": "evidence"},
        ),
        migrations.AddConstraint(
            model_name="evidence",
            constraint=models.UniqueConstraint(
                fields=("log", "kind", "digest"), name="record_evidence_once"
            ),
        ),
        migrations.CreateModel(
            name="Cosignature",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "checkpoint",
                    models.ForeignKey(
                        on_delete=models.deletion.PROTECT, to="record.signedcheckpoint"
                    ),
                ),
                ("vkey", models.CharField(max_length=300)),
                ("line", models.TextField()),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="AskedWitness",
            fields=[
                ("vkey", models.CharField(max_length=300, primary_key=True, serialize=False)),
                ("size", models.BigIntegerField(default=0)),
                ("cosigned", models.DateTimeField(null=True)),
                ("at", models.DateTimeField()),
                ("problem", models.TextField(blank=True, default="")),
            ],
            options={"db_table": "record_asked"},
        ),
        migrations.RunPython(lay, lift),
    ]
