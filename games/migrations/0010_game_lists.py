"""The indexes of the lists of games: by creation, by recency, by ruleset and by bot."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0009_deleted_accounts")]

    operations = [
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("visibility", "public")),
                fields=["at", "id"],
                name="public_recent",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("visibility", "public")),
                fields=["rules", "at", "id"],
                name="public_rules_recent",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("visibility", "public")),
                fields=["rules", "id"],
                name="public_rules_newest",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("phase", "gathering")), fields=["id"], name="gathering_newest"
            ),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("bot", ""), _negated=True),
                fields=["bot", "game"],
                name="games_of_bot",
            ),
        ),
    ]
