"""The supervisor: one process that starts the others, restarts dead ones, and leaves none
behind."""
