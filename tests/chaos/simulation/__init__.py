"""The service simulated in one process: its web processes, worker and sweeper act in turns, on one
clock and one connection, while statements fail and processes die by a seed."""
