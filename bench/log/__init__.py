"""Benchmarks of the log: appending, replaying, and a bot's answer."""
