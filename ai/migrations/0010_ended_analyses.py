"""An index by which old analyses are found and deleted."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("ai", "0009_analysis_entry")]

    operations: ClassVar = [
        migrations.AddIndex(
            model_name="analysis",
            index=models.Index(fields=["ended"], name="analysis_ended"),
        ),
    ]
