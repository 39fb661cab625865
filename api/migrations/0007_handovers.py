"""One-time codes that hand keys over."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("api", "0006_model_names")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="Handover",
            fields=[
                (
                    "key",
                    models.OneToOneField(
                        on_delete=models.deletion.CASCADE,
                        primary_key=True,
                        related_name="handover",
                        serialize=False,
                        to="api.key",
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("keeps_key", models.BooleanField()),
                ("expires", models.DateTimeField(db_index=True)),
            ],
            options={"db_table": "api_handover"},
        ),
    ]
