"""Accounts are found by their names."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0018_open_proposals")]
    operations: ClassVar = [
        migrations.AddIndex(
            "Account", models.Index(fields=["name", "id"], name="accounts_by_name")
        ),
    ]
