"""The fingerprints of the servers' keys; the secret of a running game may be encrypted again under
another key."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar, Final

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

guards: Final[Any] = import_module("games.migrations.0002_append_only")
NAME: Final = "game_update"


def replace(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Replace the trigger on changed games by the one that 0002 now describes."""
    is_sqlite = editor.connection.vendor == "sqlite"
    bodies = guards.SQLITE if is_sqlite else guards.POSTGRESQL
    editor.execute(f"DROP TRIGGER {NAME}" + ("" if is_sqlite else " ON games_game"), params=None)
    editor.execute(f"CREATE TRIGGER {NAME} {bodies[NAME]}", params=None)
    if not is_sqlite:
        editor.execute(f"ALTER TABLE games_game ENABLE ALWAYS TRIGGER {NAME}", params=None)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0004_imports")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="ServerKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("sealing", "Sealing"), ("signing", "Signing")], max_length=10
                    ),
                ),
                ("fingerprint", models.CharField(max_length=64)),
                ("since", models.DateTimeField(auto_now_add=True)),
                ("is_current", models.BooleanField()),
                ("retired", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "fingerprint"), name="one_row_per_key"),
                    models.UniqueConstraint(
                        fields=("kind",),
                        condition=models.Q(("is_current", True)),
                        name="one_current_key",
                    ),
                ],
            },
        ),
        migrations.RunPython(replace, migrations.RunPython.noop),
    ]
