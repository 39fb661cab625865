"""The table of heartbeats belongs to the app of background work; the database is not changed."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("ai", "0005_canaries"),
        ("jobs", "0001_pulse"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(
                    name="Pulse",
                ),
            ],
        ),
    ]
