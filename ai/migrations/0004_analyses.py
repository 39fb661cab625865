"""The tables of analyses and their parts."""

import django.db.models.deletion
from django.db import migrations, models

import ai.models


class Migration(migrations.Migration):
    dependencies = [
        ("ai", "0003_thought"),
        ("games", "0002_append_only"),
    ]

    operations = [
        migrations.AddField(
            model_name="thought",
            name="parts",
            field=models.TextField(blank=True, default=""),
        ),
        migrations.CreateModel(
            name="Analysis",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=ai.models.analysis_id,
                        max_length=48,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("question", models.CharField(max_length=64, null=True, unique=True)),
                ("seq", models.PositiveIntegerField(null=True)),
                ("seat", models.PositiveSmallIntegerField(null=True)),
                ("simulations", models.PositiveIntegerField()),
                ("digest", models.CharField(max_length=64)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("created", models.DateTimeField()),
                ("deadline", models.DateTimeField()),
                ("due", models.DateTimeField()),
                ("ended", models.DateTimeField(null=True)),
                ("result", models.TextField(blank=True, default="")),
                ("bot", models.CharField(blank=True, default="", max_length=20)),
                ("choice", models.CharField(blank=True, default="", max_length=40)),
                ("seconds", models.FloatField(default=0)),
                ("seed", models.BigIntegerField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="games.account",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "analyses",
            },
        ),
        migrations.CreateModel(
            name="Part",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("spread", models.PositiveSmallIntegerField()),
                ("seq", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("simulations", models.PositiveIntegerField()),
                ("begun", models.DateTimeField(null=True)),
                ("done", models.PositiveIntegerField(null=True)),
                ("found", models.TextField(blank=True, default="")),
                (
                    "analysis",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parts",
                        to="ai.analysis",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="analysis",
            index=models.Index(
                condition=models.Q(("state", "waiting")), fields=["deadline"], name="unfinished"
            ),
        ),
        migrations.AddConstraint(
            model_name="part",
            constraint=models.UniqueConstraint(
                fields=("analysis", "number"), name="one_part_of_a_number"
            ),
        ),
    ]
