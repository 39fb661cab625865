"""Search for good actions: pure Python on the engine contract, compiled with the engines."""
