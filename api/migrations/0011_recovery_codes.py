"""Recovery codes of accounts."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("api", "0010_fewer_indexes"), ("games", "0019_accounts_by_name")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="RecoveryCode",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("created", models.DateTimeField()),
                ("used", models.DateTimeField(null=True)),
                ("key", models.CharField(default="", max_length=40)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=models.deletion.CASCADE,
                        related_name="recovery_codes",
                        to="games.account",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(used__isnull=False), fields=["used"], name="used_codes"
                    )
                ],
            },
        ),
    ]
