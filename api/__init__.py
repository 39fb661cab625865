"""What third-party programs are served: HTTP in, JSON out, nothing decided here."""
