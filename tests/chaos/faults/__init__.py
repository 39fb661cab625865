"""The kinds of faults that a storm injects. Each can prove that it has taken effect."""
