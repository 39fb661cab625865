"""The number of a game's leaf in the public record, which is set once, and the index of the games
that are over and have none yet."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

KEPT: Final = "the log is append-only: a game keeps its leaf in the record"
CHANGED: Final = "OLD.leaf IS NOT NULL AND (NEW.leaf IS NULL OR NEW.leaf <> OLD.leaf)"
# beside the guards of 0002_append_only.py, so that these stay as they are
LAYING: Final = {
    "sqlite": [
        f"""
        CREATE TRIGGER game_leaf BEFORE UPDATE OF leaf ON games_game
        WHEN {CHANGED}
        BEGIN SELECT RAISE(ABORT, '{KEPT}'); END
        """
    ],
    "postgresql": [
        f"""
        CREATE FUNCTION games_keep_leaf() RETURNS trigger LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$
            BEGIN
                RAISE EXCEPTION '{KEPT}' USING ERRCODE = 'integrity_constraint_violation';
            END
        $$
        """,
        f"""
        CREATE TRIGGER game_leaf BEFORE UPDATE OF leaf ON games_game
        FOR EACH ROW WHEN ({CHANGED}) EXECUTE FUNCTION games_keep_leaf()
        """,
        "ALTER TABLE games_game ENABLE ALWAYS TRIGGER game_leaf",
    ],
}
LIFTING: Final = {
    "sqlite": ["DROP TRIGGER game_leaf"],
    "postgresql": ["DROP TRIGGER game_leaf ON games_game", "DROP FUNCTION games_keep_leaf()"],
}


def lay(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Keep the number of a leaf."""
    for statement in LAYING[editor.connection.vendor]:
        editor.execute(statement, params=None)


def lift(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Let it change."""
    for statement in LIFTING[editor.connection.vendor]:
        editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0015_fewer_indexes")]
    operations: ClassVar = [
        migrations.AddField("Game", "leaf", models.BigIntegerField(null=True)),
        migrations.AddIndex(
            "Game",
            models.Index(
                condition=models.Q(("leaf__isnull", True), ("phase", "over")),
                fields=["phase", "at", "id"],  # phase: then SQLite prefers it
                name="not_in_record",
            ),
        ),
        migrations.RunPython(lay, lift),
    ]
