"""Keys know which key made them and which replaces them, and all may manage keys, as they could
before that had a scope of its own. Replies to requests under a client's key are kept."""

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
    """What the two references from key to key have in common."""
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
