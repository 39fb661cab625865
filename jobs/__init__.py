"""Background work: outboxes, heartbeats, ratings and the sweeper."""
