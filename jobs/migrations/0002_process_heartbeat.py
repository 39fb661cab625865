"""Name models as the code does; the database is not changed."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_pulse")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Pulse", "ProcessHeartbeat"),
                migrations.AlterModelTable("ProcessHeartbeat", "ai_pulse"),
            ],
        ),
    ]
