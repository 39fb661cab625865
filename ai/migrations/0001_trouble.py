"""The table of decisions that bots had to retry."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("games", "0002_append_only"),
    ]

    operations = [
        migrations.CreateModel(
            name="Trouble",
            fields=[
                ("choice", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("seat", models.PositiveSmallIntegerField()),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("at", models.DateTimeField(auto_now=True, db_index=True)),
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
                "verbose_name_plural": "troubles",
            },
        ),
    ]
