"""Chaos tests: the service keeps its promises while its processes are killed and faults are
injected. `python -m tests.chaos` runs a storm on a served instance, then checks every log."""
