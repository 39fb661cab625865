"""The game engines: pure Python without Django, clocks, I/O or global randomness."""
