"""Games over HTTP: set up, joined, played, read, proved and forked."""
