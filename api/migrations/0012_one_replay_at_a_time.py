"""Each caller has one replay drawn at a time."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("api", "0011_recovery_codes")]
    operations: ClassVar = [
        migrations.AddField("Replay", "caller", models.CharField(max_length=64, null=True)),
        migrations.AddConstraint(
            "Replay",
            models.UniqueConstraint(
                condition=models.Q(content=None), fields=["caller"], name="one_undrawn_per_caller"
            ),
        ),
    ]
