"""Referees: second implementations of the games' rules, each written from the printed rules and
RULES.md by an author who has not read the engine. `runner` compares them with the engines."""
