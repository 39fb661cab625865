"""Keys refer to the key that created them and to the one that replaces them. All get the new scope
`keys:manage`, whose rights they had before. Adds the table of stored replies."""

from __future__ import annotations

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Value
from django.db.models.functions import Concat


def let_manage(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Add the scope to every key."""
    keys = apps.get_model("api", "Key").objects
    keys.update(scopes=Concat(F("scopes"), Value(" keys:manage")))


def refer_to_key(**more: Any) -> dict[str, Any]:
    """The options that both references from key to key share."""
    return {"null": True, "to": "api.key", **more}


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("api", "0002_webhooks_and_limits"),
        ("games", "0006_requests"),
    ]

    operations: ClassVar = [
        migrations.AddField(
            model_name="key",
            name="parent",
            field=models.ForeignKey(
                **refer_to_key(on_delete=django.db.models.deletion.CASCADE, related_name="children")
            ),
        ),
        migrations.AddField(
            model_name="key",
            name="successor",
            field=models.OneToOneField(
                **refer_to_key(
                    on_delete=django.db.models.deletion.SET_NULL, related_name="predecessor"
                )
            ),
        ),
        migrations.RunPython(let_manage, migrations.RunPython.noop),
        migrations.CreateModel(
            name="Reply",
            fields=[
                (
                    "request",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="reply",
                        serialize=False,
                        to="games.request",
                    ),
                ),
                ("sealed", models.BinaryField()),
                ("created", models.DateTimeField(auto_now_add=True, db_index=True)),
            ],
            options={"verbose_name_plural": "replies"},
        ),
    ]
