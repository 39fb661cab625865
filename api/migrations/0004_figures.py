"""Figures whose cost does not grow with the number of games: maintained sums instead of counts.

Each game that is created, starts or ends adds rows to the tally of games in its own transaction, so
that the tally survives any crash. Triggers add them, because every way of writing a game must do
so; and rows that are only inserted block no other transaction.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar, Final

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

guards: Final[Any] = import_module("games.migrations.0002_append_only")

COLUMNS: Final = "api_tally (rules, phase, number)"
SQLITE: Final = {
    "api_tally_come": f"""
        AFTER INSERT ON games_game
        BEGIN INSERT INTO {COLUMNS} VALUES (NEW.rules, NEW.phase, 1); END
    """,
    "api_tally_change": f"""
        AFTER UPDATE OF phase ON games_game WHEN NEW.phase <> OLD.phase
        BEGIN INSERT INTO {COLUMNS}
            VALUES (OLD.rules, OLD.phase, -1), (NEW.rules, NEW.phase, 1); END
    """,
}
POSTGRESQL_FUNCTION: Final = """
    BEGIN
        IF TG_OP = 'UPDATE' THEN
            INSERT INTO {schema}.api_tally (rules, phase, number)
            VALUES (OLD.rules, OLD.phase, -1);
        END IF;
        INSERT INTO {schema}.api_tally (rules, phase, number) VALUES (NEW.rules, NEW.phase, 1);
        RETURN NULL;
    END
"""
POSTGRESQL: Final = {
    "api_tally_come": """
        AFTER INSERT ON games_game FOR EACH ROW EXECUTE FUNCTION api_tally_add()
    """,
    "api_tally_change": """
        AFTER UPDATE OF phase ON games_game FOR EACH ROW
        WHEN (NEW.phase IS DISTINCT FROM OLD.phase) EXECUTE FUNCTION api_tally_add()
    """,
}
COUNT: Final = (
    f"INSERT INTO {COLUMNS} SELECT rules, phase, count(*) FROM games_game GROUP BY rules, phase"
)


def laying(vendor: str, schema: str) -> list[str]:
    """The statements that create the triggers. SQLite drops them when a migration rebuilds the
    games table, so they are run again after every migration."""
    if vendor == "sqlite":
        return [f"CREATE TRIGGER IF NOT EXISTS {name} {body}" for name, body in SQLITE.items()]
    body = POSTGRESQL_FUNCTION.replace("{schema}", schema)
    function = (
        "CREATE FUNCTION api_tally_add() RETURNS trigger LANGUAGE plpgsql"
        f" SET search_path = pg_catalog, pg_temp AS $${body}$$"
    )
    return [function, *(f"CREATE TRIGGER {name} {body}" for name, body in POSTGRESQL.items())]


def lay(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the triggers, then count the existing games: games created meanwhile wait."""
    for statement in laying(editor.connection.vendor, guards.schema_of(editor)):
        editor.execute(statement, params=None)
    editor.execute(COUNT, params=None)


def lift(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the triggers."""
    if editor.connection.vendor == "sqlite":
        statements = [f"DROP TRIGGER IF EXISTS {name}" for name in SQLITE]
    else:
        statements = [f"DROP TRIGGER {name} ON games_game" for name in POSTGRESQL]
        statements.append("DROP FUNCTION api_tally_add()")
    for statement in statements:
        editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("api", "0003_replies"),
        ("games", "0007_names"),
    ]
    operations: ClassVar = [
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("rules", models.CharField(max_length=40)),
                ("phase", models.CharField(max_length=10)),
                ("number", models.BigIntegerField()),
            ],
            options={"verbose_name_plural": "tallies"},
        ),
        migrations.CreateModel(
            name="Figure",
            fields=[
                ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("value", models.FloatField(default=0)),
            ],
        ),
        migrations.RunPython(lay, lift),
    ]
