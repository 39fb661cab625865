"""Name models as the code does; the database is not changed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("api", "0005_names")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Announced", "AnnouncedEntry"),
                migrations.AlterModelTable("AnnouncedEntry", "api_announced"),
                migrations.RenameModel("Tally", "GameCount"),
                migrations.AlterModelTable("GameCount", "api_tally"),
                migrations.RenameModel("Figure", "ServerMetric"),
                migrations.AlterModelTable("ServerMetric", "api_figure"),
                migrations.AlterModelOptions(
                    "AnnouncedEntry", {"verbose_name_plural": "announced entries"}
                ),
                migrations.AlterModelOptions("GameCount", {}),
                migrations.RenameField("Delivery", "told", "enqueued_at"),
                migrations.AlterField(
                    "Delivery", "enqueued_at", models.DateTimeField(db_column="told", null=True)
                ),
            ],
        ),
    ]
