"""Back-ups of the database: of SQLite's file while it is written, of a PostgreSQL with its
write-ahead log."""
