"""The laboratory of the rules: equal bots play each game at every number of seats and in every
variant, and the course of their games is counted (`manage.py balance`, docs/balance.md)."""
