"""Benchmarks of the rules and the search against other libraries, run by `make bench`."""
