"""The benchmark of verification: stored games by the quick pass, and by the replay."""
