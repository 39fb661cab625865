"""The moves of this server beside those of boardgame.io's own server, in one run."""
