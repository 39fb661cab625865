"""Requests belong to the account or the address that made them, and may concern no game."""

from __future__ import annotations

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def name_owners(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Set the owner to the account: at most two days of requests are stored."""
    apps.get_model("games", "Request").objects.update(owner=F("account_id"))


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0005_key_fingerprints")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="request",
            name="owner",
            field=models.CharField(default="", max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(name_owners, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="request", name="one_request_per_key"),
        migrations.RemoveField(model_name="request", name="account"),
        migrations.AlterField(
            model_name="request",
            name="game",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="requests",
                to="games.game",
            ),
        ),
        migrations.AlterField(
            model_name="request", name="first", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AlterField(
            model_name="request", name="last", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddConstraint(
            model_name="request",
            constraint=models.UniqueConstraint(
                fields=("owner", "key"), name="one_request_per_owner_and_key"
            ),
        ),
    ]
