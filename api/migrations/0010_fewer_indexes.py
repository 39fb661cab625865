"""Invitations are found by their game in the index that makes their seats unique."""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("api", "0009_enabled_webhooks")]
    operations: ClassVar = [
        migrations.AlterField(
            "Invitation",
            "game",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="invitations",
                to="games.game",
            ),
        )
    ]
