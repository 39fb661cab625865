"""Benchmarks of streams: the cost of a thousand idle ones, and the latency of an entry from commit
to client."""
