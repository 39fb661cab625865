"""Heartbeats of each worker and sweeper by node."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models


def forget(apps: Any, _schema: Any) -> None:
    """Delete all rows: they name no node, and new ones arrive within seconds."""
    apps.get_model("ai", "Pulse").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [
        ("ai", "0004_analyses"),
    ]

    operations = [
        migrations.RunPython(forget, forget),
        migrations.AlterField(
            model_name="pulse",
            name="name",
            field=models.CharField(max_length=255, primary_key=True, serialize=False),
        ),
        migrations.AddField(
            model_name="pulse",
            name="kind",
            field=models.CharField(max_length=20, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="pulse",
            name="beats",
            field=models.PositiveBigIntegerField(default=0),
        ),
    ]
