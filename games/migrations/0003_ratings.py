"""The tables of ratings: which games are rated, their players, and each player's rating after every
game."""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar, Final

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

guards: Final[Any] = import_module("games.migrations.0002_append_only")


# SQLite adds a column by rebuilding the table, which drops the triggers of the old one.


def lift(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Open the log, if the table of games must be rebuilt."""
    if editor.connection.vendor == "sqlite":
        guards.lift(apps, editor)


def lay(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Close it again."""
    if editor.connection.vendor == "sqlite":
        guards.lay(apps, editor)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0002_append_only")]

    operations: ClassVar = [
        migrations.RunPython(lift, lay),
        migrations.AddField(
            model_name="game", name="rated", field=models.BooleanField(default=False)
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("phase", "over"), ("rated", True)),
                fields=["at"],
                name="rated_and_over",
            ),
        ),
        migrations.RunPython(lay, lift),
        migrations.AddField(
            model_name="player",
            name="rated_as",
            field=models.CharField(blank=True, default="", max_length=48),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                condition=models.Q(("rated_as", ""), _negated=True),
                fields=("game", "rated_as"),
                name="one_seat_per_rated_player",
            ),
        ),
        migrations.CreateModel(
            name="Ladder",
            fields=[
                (
                    "rules",
                    models.CharField(max_length=40, primary_key=True, serialize=False),
                ),
                ("changes", models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rules", models.CharField(max_length=40)),
                ("player", models.CharField(max_length=48)),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to="games.game",
                    ),
                ),
                ("at", models.DateTimeField()),
                ("games", models.PositiveIntegerField()),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("ordinal", models.FloatField()),
                ("is_latest", models.BooleanField()),
            ],
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(
                condition=models.Q(("is_latest", True)), fields=["rules", "ordinal"], name="ladder"
            ),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(fields=["rules", "at", "game"], name="rated_in_order"),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(fields=["player", "rules", "at"], name="career"),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(
                fields=("game", "player"), name="one_rating_per_game"
            ),
        ),
        migrations.AddConstraint(
            model_name="rating",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_latest", True)),
                fields=("rules", "player"),
                name="one_latest_rating",
            ),
        ),
    ]
