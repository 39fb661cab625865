"""The table of heartbeats."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ai", "0001_trouble"),
    ]

    operations = [
        migrations.CreateModel(
            name="Pulse",
            fields=[
                ("name", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
            ],
        ),
    ]
