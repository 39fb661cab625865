"""The logs of games: fair draws, the fold of entries; exports, verified and replayed offline."""
