"""Was a game altered, or rigged? What checks whole logs, stored here or carried off as a file, and
what writes such files and reads them again. docs/fairness.md says what is checked and why."""
