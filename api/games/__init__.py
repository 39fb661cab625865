"""Endpoints for games: setting up, joining, playing, reading, proving and forking."""
