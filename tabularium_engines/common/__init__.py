"""Code that several games share or that every caller of an engine needs."""
