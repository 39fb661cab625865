"""The wheel of the library: its sources assembled under one import package, then built."""
