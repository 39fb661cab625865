"""The table of imports: the games played on another server, the importing accounts, and the
receipts."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import django.db.models.deletion
import orjson
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Exists, OuterRef

import games.models
from tabularium_log.fairness.signed_hash_chain import public_key

CHUNK: Final = 1_000


def mark(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Mark the games whose first entry names the key of another server. Their receipts were not
    stored. A local game has an owner or a player's account: only the others are read."""
    imports, entries = apps.get_model("games", "Import"), apps.get_model("games", "Entry")
    accounts = apps.get_model("games", "Player").objects.filter(
        game=OuterRef("game"), account__isnull=False
    )
    strange = (
        entries.objects.filter(seq=1, game__owner=None, game__phase="over")
        .exclude(Exists(accounts))
        .order_by("game")
    )
    if not strange.exists():
        return
    for key in map(public_key, settings.SIGNING_KEYS):
        strange = strange.exclude(text__contains=f'"key":"{key}"')
    last = ""
    while found := list(strange.filter(game__gt=last).values_list("game", "text")[:CHUNK]):
        imports.objects.bulk_create(
            imports(game_id=game, key=orjson.loads(text)["action"]["key"]) for game, text in found
        )
        last = found[-1][0]


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0003_ratings")]

    operations: ClassVar = [
        migrations.AlterField(
            model_name="game",
            name="visibility",
            field=models.CharField(
                choices=[("public", "Public"), ("private", "Private"), ("unlisted", "Unlisted")],
                default="public",
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=games.models.import_id,
                        max_length=40,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("at", models.DateTimeField(null=True)),
                ("key", models.CharField(max_length=64)),
                ("receipts", models.TextField(default="[]")),
                (
                    "account",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="imports",
                        to="games.account",
                    ),
                ),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imported",
                        to="games.game",
                    ),
                ),
            ],
        ),
        migrations.RunPython(mark, migrations.RunPython.noop),
    ]
