"""Triggers for an append-only log: the database itself refuses to change or delete an entry, to add
one that does not follow the last, to change the facts that a game began with, and to turn its head
back."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# No trigger on one table reads the other: SQLite could not rebuild either of them in a migration.

CLOSED: Final = "the log is append-only"
OUT_OF_ORDER: Final = "the log is append-only: an entry follows the last one of its game"
KEPT: Final = "the log is append-only: a game keeps its log"
FIRM: Final = "the log is append-only: a game keeps what it began with, and its head only advances"
CHANGED: Final = """
    NEW.seq < OLD.seq OR (NEW.seq = OLD.seq AND NEW.hash <> OLD.hash) OR NEW.id <> OLD.id
    OR NEW.rules <> OLD.rules OR NEW.version <> OLD.version OR NEW.seats <> OLD.seats
    OR (NEW.secret <> OLD.secret AND NOT ({relocked}))
"""
# a running game's secret may be encrypted again under another key: the first ten bytes of the old
# and of the new one name their keys (tabularium_log/fairness/encryption.py)
RELOCKED: Final = """
    OLD.phase <> 'over' AND {length}(NEW.secret) = 70 AND substr(NEW.secret, 1, 2) = {mark}
    AND substr(NEW.secret, 1, 10) <> substr(OLD.secret, 1, 10)
"""
RELOCKED_HERE: Final = RELOCKED.format(length="length", mark="x'6b31'")
RELOCKED_THERE: Final = RELOCKED.format(length="octet_length", mark="'\\x6b31'::bytea")
FIRM_COLUMNS: Final = "id, rules, version, seats, secret, seq, hash"

# INSERT OR REPLACE deletes conflicting rows, and no trigger fires for that unless the connection
# enables recursive triggers: so an insert that conflicts, by key or by rowid, is refused before.
SQLITE: Final = {
    "entry_update": f"""
        BEFORE UPDATE ON games_entry
        BEGIN SELECT RAISE(ABORT, '{CLOSED}'); END
    """,
    "entry_delete": f"""
        BEFORE DELETE ON games_entry
        BEGIN SELECT RAISE(ABORT, '{CLOSED}'); END
    """,
    "entry_insert": f"""
        BEFORE INSERT ON games_entry
        WHEN NEW.seq <> 1 + coalesce(
                (SELECT max(seq) FROM games_entry WHERE game_id = NEW.game_id), 0)
            OR EXISTS (SELECT 1 FROM games_entry WHERE rowid = NEW.rowid)
        BEGIN SELECT RAISE(ABORT, '{OUT_OF_ORDER}'); END
    """,
    "game_update": f"""
        BEFORE UPDATE OF {FIRM_COLUMNS} ON games_game
        WHEN {CHANGED.format(relocked=RELOCKED_HERE)}
        BEGIN SELECT RAISE(ABORT, '{FIRM}'); END
    """,
    "game_delete": f"""
        BEFORE DELETE ON games_game
        BEGIN SELECT RAISE(ABORT, '{KEPT}'); END
    """,
    "game_insert": f"""
        BEFORE INSERT ON games_game
        WHEN EXISTS (SELECT 1 FROM games_game WHERE id = NEW.id OR rowid = NEW.rowid)
        BEGIN SELECT RAISE(ABORT, '{KEPT}'); END
    """,
}

# A search path of its own: no temporary table shadows the real one. No sorting: then the index
# finds the last entry, where a plan made for a short log would scan all of a long one.
POSTGRESQL_SETTINGS: Final = "SET search_path = pg_catalog, pg_temp SET enable_sort = off"
POSTGRESQL_FUNCTIONS: Final = {
    "games_refuse": """
        BEGIN
            RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
        END
    """,
    # volatile, and so it sees the rows that the same statement has already inserted
    "games_follow": """
        BEGIN
            IF NEW.seq <> 1 + coalesce((
                SELECT seq FROM {schema}.games_entry WHERE game_id = NEW.game_id
                ORDER BY seq DESC LIMIT 1), 0)
            THEN
                RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN NEW;
        END
    """,
}
POSTGRESQL: Final = {
    "entry_change": f"""
        BEFORE UPDATE OR DELETE ON games_entry
        FOR EACH ROW EXECUTE FUNCTION games_refuse('{CLOSED}')
    """,
    "entry_truncate": f"""
        BEFORE TRUNCATE ON games_entry
        FOR EACH STATEMENT EXECUTE FUNCTION games_refuse('{CLOSED}')
    """,
    "entry_insert": f"""
        BEFORE INSERT ON games_entry
        FOR EACH ROW EXECUTE FUNCTION games_follow('{OUT_OF_ORDER}')
    """,
    "game_update": f"""
        BEFORE UPDATE OF {FIRM_COLUMNS} ON games_game
        FOR EACH ROW WHEN ({CHANGED.format(relocked=RELOCKED_THERE)})
        EXECUTE FUNCTION games_refuse('{FIRM}')
    """,
    "game_delete": f"""
        BEFORE DELETE ON games_game
        FOR EACH ROW EXECUTE FUNCTION games_refuse('{KEPT}')
    """,
    "game_truncate": f"""
        BEFORE TRUNCATE ON games_game
        FOR EACH STATEMENT EXECUTE FUNCTION games_refuse('{KEPT}')
    """,
}


def table_of(trigger: str) -> str:
    """The table that a trigger guards."""
    return f"games_{trigger.partition('_')[0]}"


def laying(vendor: str, schema: str) -> list[str]:
    """The statements that close the log."""
    if vendor == "sqlite":
        return [f"CREATE TRIGGER {name} {body}" for name, body in SQLITE.items()]
    functions = [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql {POSTGRESQL_SETTINGS}"
        f" AS $${body.replace('{schema}', schema)}$$"
        for name, body in POSTGRESQL_FUNCTIONS.items()
    ]
    triggers = [f"CREATE TRIGGER {name} {body}" for name, body in POSTGRESQL.items()]
    always = [  # even if session_replication_role is replica
        f"ALTER TABLE {table_of(name)} ENABLE ALWAYS TRIGGER {name}" for name in POSTGRESQL
    ]
    return [*functions, *triggers, *always]


def lifting(vendor: str) -> list[str]:
    """The statements that open the log again, for the owner of the database."""
    if vendor == "sqlite":
        return [f"DROP TRIGGER {name}" for name in SQLITE]
    triggers = [f"DROP TRIGGER {name} ON {table_of(name)}" for name in POSTGRESQL]
    return [*triggers, *(f"DROP FUNCTION {name}()" for name in POSTGRESQL_FUNCTIONS)]


def schema_of(editor: BaseDatabaseSchemaEditor) -> str:
    """The schema of the tables, quoted; SQLite has none."""
    if editor.connection.vendor == "sqlite":
        return ""
    with editor.connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        (schema,) = cursor.fetchone()
    return str(schema)


def lay(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Close the log."""
    for statement in laying(editor.connection.vendor, schema_of(editor)):
        editor.execute(statement, params=None)


def lift(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Open the log."""
    for statement in lifting(editor.connection.vendor):
        editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0001_tables")]
    operations: ClassVar = [migrations.RunPython(lay, lift)]
