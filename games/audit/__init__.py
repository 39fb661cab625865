"""Auditing games: verifies whole logs, stored here or exported, and writes and reads export files.
docs/fairness.md lists the checks and the reasons for them."""
