"""The table of stored bot decisions."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ai", "0002_pulse"),
        ("games", "0002_append_only"),
    ]

    operations = [
        migrations.CreateModel(
            name="Thought",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveIntegerField()),
                ("known", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("bot", models.CharField(max_length=20)),
                ("digest", models.CharField(max_length=64)),
                ("seed", models.BigIntegerField()),
                ("simulations", models.PositiveIntegerField()),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("game", "seq"), name="thought_entry")
                ],
            },
        ),
    ]
