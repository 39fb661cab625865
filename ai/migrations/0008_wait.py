"""A bot's decision to wait has no entry."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai", "0007_bot_failure")]

    operations = [
        migrations.AlterField("Thought", "seq", models.PositiveIntegerField(null=True)),
        migrations.AddConstraint(
            "Thought",
            models.UniqueConstraint(
                fields=("game", "known", "seat"),
                condition=models.Q(seq__isnull=True),
                name="thought_wait",
            ),
        ),
    ]
