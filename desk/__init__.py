"""The operator's desk in a browser: a read-only administration of Django, off by default."""
