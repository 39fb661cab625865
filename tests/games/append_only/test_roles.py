"""PostgreSQL refuses to alter a log for every role: the serving role, the owner and a replication
role."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from games import log_mover, services
from games.models import Account, Entry, Game, OldEntry
from games.services import SeatAssignment
from tests.games.append_only import attempts
from tests.games.old_logs import store_logs_written_before
from tests.games.tampering import ON_POSTGRESQL, REFUSED, Rows, assert_rejected, attempt

pytestmark = pytest.mark.stores

if connection.vendor != "postgresql":
    pytest.skip("only PostgreSQL has roles", allow_module_level=True)


class TestRoles:
    @pytest.fixture(params=["serving", "owner", "replica"])
    def role(self, request: pytest.FixtureRequest, game: Game) -> Iterator[str]:
        role: str = request.param
        {"serving": serve, "owner": become_owner, "replica": replicate}[role]()
        yield role
        execute("RESET ROLE")

    @pytest.mark.parametrize("name", ON_POSTGRESQL)
    def test_are_refused(self, role: str, name: str, game: Game) -> None:
        with assert_rejected(f"{REFUSED}|permission denied" if role == "serving" else REFUSED):
            attempt(ON_POSTGRESQL[name], game)

    @pytest.mark.parametrize("table", ["games_game", "games_entry", "games_oldentry"])
    @pytest.mark.parametrize("privilege", ["UPDATE", "DELETE", "TRUNCATE", "TRIGGER", "REFERENCES"])
    def test_have_no_right_they_do_not_need(self, privilege: str, table: str, game: Game) -> None:
        serve()
        allowed = execute(f"SELECT has_table_privilege('{table}', '{privilege}')")[0][0]
        assert allowed is (privilege == "UPDATE" and table == "games_game")

    def test_move_logs_and_leave_the_old_table_to_its_owner(self, db: None) -> None:
        store_logs_written_before()
        serve()
        with pytest.raises(CommandError, match="could not be emptied: must be owner"):
            call_command("move_logs", stdout=StringIO())
        execute("RESET ROLE")
        assert not log_mover.unmoved_games()
        assert OldEntry.objects.exists()

    def test_only_read_the_old_table(self, game: Game) -> None:
        serve()
        query = "SELECT has_table_privilege('games_oldentry', '{}')"
        rights = [execute(query.format(privilege))[0][0] for privilege in ("SELECT", "INSERT")]
        assert rights == [True, False]

    @pytest.mark.parametrize(
        "statement",
        [
            "SET session_replication_role = replica",
            "ALTER TABLE games_entry DISABLE TRIGGER ALL",
            "DROP TRIGGER entry_change ON games_entry",
            "DROP TABLE games_entry",
            "CREATE OR REPLACE FUNCTION games_refuse() RETURNS trigger LANGUAGE sql AS 'SELECT 1'",
            "ALTER TABLE games_entry ALTER action TYPE text USING 'forged'",
        ],
    )
    def test_cannot_open_the_log(self, statement: str, game: Game) -> None:
        serve()
        with assert_rejected("permission denied|must be owner"):
            attempt(statement, game)
        execute("RESET ROLE")

    def test_serve_games(self, game: Game) -> None:
        serve()
        with transaction.atomic():
            account = Account.objects.create(name="Cicero")
            seats = [SeatAssignment(account=account), SeatAssignment(bot="random")]
            table = services.create_game("law_of_the_dice", seats).projection
            final_table = services.resign_seat(table.game, 0).projection
            assert (final_table.phase, final_table.seq) == (
                "over",
                Entry.objects.filter(game=table.game).count(),
            )
            transaction.set_rollback(True)
        execute("RESET ROLE")

    def test_a_cascade_is_refused(self, game: Game) -> None:
        with assert_rejected():
            attempt(attempts.CASCADE + "; DELETE FROM games_game", game)


def execute(statement: str) -> Rows:
    """Run the statement; its rows, if it returns any."""
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


def serve() -> None:
    """Switch to the unprivileged role that docs/append-only.md describes."""
    execute("CREATE ROLE tabularium_serving")
    printed = StringIO()
    call_command("grants", "tabularium_serving", stdout=printed)
    execute(printed.getvalue())
    execute("SET ROLE tabularium_serving")


def become_owner() -> None:
    """Switch to a role that owns the tables but is no superuser."""
    execute("CREATE ROLE tabularium_owning")
    execute("GRANT ALL ON SCHEMA public TO tabularium_owning")
    for table in connection.introspection.table_names():
        execute(f"ALTER TABLE {table} OWNER TO tabularium_owning")
    execute("SET ROLE tabularium_owning")


def replicate() -> None:
    """Bypass triggers that are not ENABLE ALWAYS, as a superuser can."""
    execute("SET LOCAL session_replication_role = replica")
