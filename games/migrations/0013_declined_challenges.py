"""Challenges that were declined are found by the time at which they were."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0012_desk")]

    operations: ClassVar = [
        migrations.AddIndex(
            "Challenge",
            models.Index(
                condition=models.Q(declined__isnull=False),
                fields=["declined"],
                name="declined_challenges",
            ),
        ),
    ]
