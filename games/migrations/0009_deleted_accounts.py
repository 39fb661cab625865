"""Players whose account was deleted."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0008_installed_rulesets")]
    operations: ClassVar = [
        migrations.AddField("Player", "is_account_deleted", models.BooleanField(default=False)),
    ]
