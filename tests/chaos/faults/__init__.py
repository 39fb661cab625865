"""The kinds of faults that a storm injects, each with a proof that it takes effect."""
