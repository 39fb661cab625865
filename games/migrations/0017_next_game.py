"""The rematch of a game that is over."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0016_record_leaves")]
    operations: ClassVar = [
        migrations.AddField(
            "Game",
            "next",
            models.ForeignKey(
                db_constraint=False,  # else SQLite makes the table anew, without its guards
                db_index=False,
                null=True,
                on_delete=models.deletion.PROTECT,
                related_name="+",
                to="games.game",
            ),
        ),
    ]
