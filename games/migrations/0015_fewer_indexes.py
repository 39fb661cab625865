"""Players and challenges are found by their game in the indexes that make their seats unique."""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0014_entry_columns")]
    operations: ClassVar = [
        migrations.AlterField(
            model,
            "game",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name=related_name,
                to="games.game",
            ),
        )
        for model, related_name in (("Player", "players"), ("Challenge", "challenges"))
    ]
