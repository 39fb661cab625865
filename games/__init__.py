"""Games: their models, the storage of their logs, queries and services."""
