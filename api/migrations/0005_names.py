"""Widen key names to the bytes that their characters need; SQLite enforces no such limit."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

WIDER = "ALTER TABLE api_key ALTER COLUMN name TYPE varchar(400)"  # rewrites no row


def widen(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Only where the length is enforced: SQLite would copy the table."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(WIDER)


class Migration(migrations.Migration):
    dependencies = [("api", "0004_figures")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "key", "name", models.CharField(blank=True, default="", max_length=400)
                )
            ],
            database_operations=[migrations.RunPython(widen, migrations.RunPython.noop)],
        )
    ]
