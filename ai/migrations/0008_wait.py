"""A bot's decision to wait has no entry."""

from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget_waits(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Delete the decisions that have no place in the former table."""
    apps.get_model("ai", "Thought").objects.filter(seq=None).delete()


class Migration(migrations.Migration):
    dependencies = [("ai", "0007_bot_failure")]

    operations = [
        migrations.AlterField("Thought", "seq", models.PositiveIntegerField(null=True)),
        migrations.AddConstraint(
            "Thought",
            models.UniqueConstraint(
                fields=("game", "known", "seat"),
                condition=models.Q(seq__isnull=True),
                name="thought_wait",
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, forget_waits),
    ]
