"""Challenges: seats that are kept for an account."""

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0010_game_lists")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="Challenge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("declined", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="challenges",
                        to="games.account",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="challenges",
                        to="games.game",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            "Challenge",
            models.UniqueConstraint(fields=("game", "seat"), name="one_challenge_per_seat"),
        ),
    ]
