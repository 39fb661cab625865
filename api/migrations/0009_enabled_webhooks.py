"""An index that answers whether any webhook is enabled."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("api", "0008_replays")]

    operations: ClassVar = [
        migrations.AddIndex(
            model_name="webhook",
            index=models.Index(
                condition=models.Q(is_enabled=True), fields=["id"], name="api_webhook_enabled"
            ),
        ),
    ]
