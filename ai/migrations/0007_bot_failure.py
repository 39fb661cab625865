"""Name models as the code does; the database is not changed."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ai", "0006_pulse")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Trouble", "BotFailure"),
                migrations.AlterModelTable("BotFailure", "ai_trouble"),
                migrations.AlterModelOptions("BotFailure", {}),
            ],
        ),
    ]
