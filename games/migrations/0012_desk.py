"""Bans of accounts, and the record of the actions of operators."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0011_challenges")]
    operations: ClassVar = [
        migrations.AddField("account", "banned", models.DateTimeField(null=True)),
        migrations.AddField(
            "account", "ban_reason", models.CharField(blank=True, default="", max_length=200)
        ),
        migrations.CreateModel(
            name="StaffAction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("staff", models.CharField(max_length=100)),
                ("action", models.CharField(max_length=40)),
                ("target", models.CharField(db_index=True, max_length=40)),
                ("detail", models.CharField(blank=True, default="", max_length=200)),
            ],
        ),
    ]
