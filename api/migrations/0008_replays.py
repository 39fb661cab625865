"""Replays of games as animated WebP."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("api", "0007_handovers"), ("games", "0011_challenges")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="Replay",
            fields=[
                ("id", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("style", models.TextField()),
                ("frames", models.PositiveSmallIntegerField()),
                ("drawn", models.PositiveSmallIntegerField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("created", models.DateTimeField(db_index=True)),
                ("begun", models.DateTimeField(null=True)),
                ("due", models.DateTimeField()),
                ("content", models.BinaryField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=models.deletion.CASCADE, related_name="+", to="games.game"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(content=None), fields=["due"], name="undrawn")
                ],
            },
        ),
    ]
