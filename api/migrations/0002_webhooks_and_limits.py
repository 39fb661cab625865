"""The tables of webhooks, deliveries and rate limits."""

import django.db.models.deletion
from django.db import migrations, models

import api.models


class Migration(migrations.Migration):
    dependencies = [
        ("api", "0001_keys"),
        ("games", "0002_append_only"),
    ]

    operations = [
        migrations.CreateModel(
            name="Announced",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        db_column="game_id",
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="announced",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("seq", models.PositiveIntegerField()),
            ],
            options={
                "verbose_name_plural": "announced",
            },
        ),
        migrations.CreateModel(
            name="Bucket",
            fields=[
                ("key", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("full_at", models.BigIntegerField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=api.models.webhook_id,
                        max_length=40,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("url", models.CharField(max_length=500)),
                ("kinds", models.CharField(max_length=200)),
                ("is_enabled", models.BooleanField(default=True)),
                ("reason", models.CharField(blank=True, default="", max_length=200)),
                ("since", models.DateTimeField()),
                ("secret", models.BinaryField()),
                ("old_secret", models.BinaryField(null=True)),
                ("old_until", models.DateTimeField(null=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhooks",
                        to="games.account",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=api.models.delivery_id,
                        max_length=40,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("text", models.TextField()),
                ("created", models.DateTimeField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("delivered", "Delivered"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("due", models.DateTimeField(null=True)),
                ("told", models.DateTimeField(null=True)),
                ("at", models.DateTimeField(null=True)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("duration_ms", models.PositiveIntegerField(null=True)),
                ("answer", models.TextField(blank=True, default="")),
                ("error", models.CharField(blank=True, default="", max_length=200)),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="api.webhook",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "indexes": [
                    models.Index(
                        condition=models.Q(("due__isnull", False)),
                        fields=["due"],
                        name="undelivered",
                    ),
                    models.Index(fields=["created"], name="api_deliver_created_7f3f3b_idx"),
                ],
            },
        ),
    ]
