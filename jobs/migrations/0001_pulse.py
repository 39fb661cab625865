"""The table of heartbeats, which the bots' app created; the database is not changed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("ai", "0005_canaries"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Pulse",
                    fields=[
                        (
                            "name",
                            models.CharField(max_length=255, primary_key=True, serialize=False),
                        ),
                        ("kind", models.CharField(max_length=20)),
                        ("at", models.DateTimeField()),
                        ("beats", models.PositiveBigIntegerField(default=0)),
                    ],
                    options={
                        "db_table": "ai_pulse",
                    },
                ),
            ],
        ),
    ]
