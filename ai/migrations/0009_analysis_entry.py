"""An analysis may repeat the decision of a bot that led to an entry."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ai", "0008_wait")]

    operations = [
        migrations.AddField("Analysis", "entry", models.PositiveIntegerField(null=True)),
    ]
