"""Chaos tests: the service keeps its promises while its processes are killed at random. `python -m
tests.chaos` plays many games on a served instance through a storm of kills, then checks every
log."""
