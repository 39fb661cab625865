"""The HTTP API for clients: requests in, JSON out; it decides nothing itself."""
