"""Every known way to alter a log with SQL, by name.

`{game}` is a game whose last entry is `{last}`; `{other}` is another game of the same length.
"""

from __future__ import annotations

from typing import Final

COLUMNS: Final = "game_id, seq, seat, at, action, paths, seals, hash, box"
REST: Final = "seat, at, action, paths, seals, hash, box"
INSERT: Final = f"INSERT INTO games_entry ({COLUMNS})"


def entry_sql(seq: str) -> str:
    """A row with the given seq, copied from the game's last entry."""
    return (
        f"SELECT game_id, {seq}, seat, at, 'forged', paths, seals, hash, box FROM games_entry"
        " WHERE game_id = '{game}' AND seq = {last}"
    )


COPIED_GAME: Final = (
    " (id, rules, version, seats, visibility, secret, seq, hash, at, phase, awaited, bots, rated)"
    " SELECT id, rules, version, seats, visibility, secret, 1, hash, at, phase, awaited, bots,"
    " rated FROM games_game WHERE id = '{game}'"
)

ON_ENTRIES: Final = {
    "update": "UPDATE games_entry SET action = 'forged' WHERE game_id = '{game}' AND seq = 2",
    "update to the same": "UPDATE games_entry SET action = action",
    "update of the seq": "UPDATE games_entry SET seq = seq + 100",
    "update of the game": "UPDATE games_entry SET game_id = '{other}' WHERE seq > 1",
    "delete": "DELETE FROM games_entry WHERE game_id = '{game}' AND seq = 2",
    "delete of the last": "DELETE FROM games_entry WHERE game_id = '{game}' AND seq = {last}",
    "delete of everything": "DELETE FROM games_entry",
    "upsert": f"{INSERT} {entry_sql('{last}')} ON CONFLICT (game_id, seq)"
    " DO UPDATE SET action = excluded.action",
    "insert or do nothing": f"{INSERT} {entry_sql('{last}')} ON CONFLICT DO NOTHING",
    "insert twice": f"{INSERT} {entry_sql('{last}')}",
    "insert beyond": f"{INSERT} {entry_sql('{last} + 2')}",
    "insert before": f"{INSERT} {entry_sql('0')}",
    "insert with a gap": f"{INSERT} {entry_sql('{last} + 1')} UNION ALL {entry_sql('{last} + 3')}",
    "insert backwards": f"{INSERT} {entry_sql('{last} + 2')} UNION ALL {entry_sql('{last} + 1')}",
    "begin in the middle": f"{INSERT} SELECT 'game_new', 2, {REST} FROM games_entry"
    " WHERE game_id = '{game}' AND seq = 2",
}

ON_GAMES: Final = {
    "delete of the game": "DELETE FROM games_game WHERE id = '{game}'",
    "turning the head back": "UPDATE games_game SET seq = seq - 1 WHERE id = '{game}'",
    "another head": "UPDATE games_game SET hash = 'forged' WHERE id = '{game}'",
    "another id": "UPDATE games_game SET id = 'forged' WHERE id = '{game}'",
    "other rules": "UPDATE games_game SET rules = 'forged' WHERE id = '{game}'",
    "another version": "UPDATE games_game SET version = version + 1 WHERE id = '{game}'",
    "more seats": "UPDATE games_game SET seats = seats + 1 WHERE id = '{game}'",
    "another secret": "UPDATE games_game SET secret = '' WHERE id = '{game}'",
}

ON_SQLITE: Final = {
    "insert or replace": f"INSERT OR REPLACE INTO games_entry ({COLUMNS}) {entry_sql('{last}')}",
    "replace": f"REPLACE INTO games_entry ({COLUMNS}) {entry_sql('2')}",
    # in sequence, but in the place of an entry of another game
    "insert or replace by rowid": f"INSERT OR REPLACE INTO games_entry (rowid, {COLUMNS})"
    " SELECT (SELECT rowid FROM games_entry WHERE game_id = '{other}' AND seq = 2),"
    f" game_id, {{last}} + 1, {REST} FROM games_entry"
    " WHERE game_id = '{game}' AND seq = {last}",
    "insert or ignore": f"INSERT OR IGNORE INTO games_entry ({COLUMNS}) {entry_sql('{last}')}",
    "update or replace": "UPDATE OR REPLACE games_entry SET seq = 1 WHERE seq = 2",
    "update of the rowid": "UPDATE games_entry SET rowid = rowid + 1000",
    "insert or replace of the game": f"INSERT OR REPLACE INTO games_game {COPIED_GAME}",
    "insert or replace of the game by rowid": "INSERT OR REPLACE INTO games_game"
    " (rowid, id, rules, version, seats, visibility, secret, seq, hash, at, phase, awaited, bots,"
    " rated) SELECT rowid, 'forged', rules, version, seats, visibility, secret, seq, hash, at,"
    " phase, awaited, bots, rated FROM games_game WHERE id = '{game}'",
}

ON_POSTGRESQL: Final = {
    "truncate": "TRUNCATE games_entry",
    "truncate games": "TRUNCATE games_game CASCADE",
    "truncate accounts": "TRUNCATE games_account CASCADE",
    "merge that updates": "MERGE INTO games_entry e USING games_game g"
    " ON e.game_id = g.id AND e.seq = 2 WHEN MATCHED THEN UPDATE SET action = 'forged'",
    "merge that deletes": "MERGE INTO games_entry e USING games_game g"
    " ON e.game_id = g.id AND e.seq = 2 WHEN MATCHED THEN DELETE",
    "merge that inserts": "MERGE INTO games_entry e USING games_entry old"
    " ON e.game_id = old.game_id AND e.seq = old.seq + 2 AND old.seq = {last}"
    f" WHEN NOT MATCHED THEN INSERT ({COLUMNS})"
    " VALUES (old.game_id, old.seq + 2, null, 0, 'forged', '', '', '', '')",
    "delete in a common table": "WITH gone AS (DELETE FROM games_entry RETURNING seq)"
    " SELECT count(*) FROM gone",
    "temporary table of that name": "CREATE TEMPORARY TABLE games_entry"
    " AS SELECT * FROM public.games_entry WHERE false;"
    f" INSERT INTO public.games_entry ({COLUMNS})"
    " SELECT id, 1, null, 0, 'forged', '', '', '', '' FROM games_game WHERE id = '{game}'",
}

# a cascade that the owner of the tables may add first
CASCADE: Final = (
    "ALTER TABLE games_entry ADD FOREIGN KEY (game_id) REFERENCES games_game ON DELETE CASCADE"
)
