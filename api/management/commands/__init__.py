"""What `manage.py` can do with the log, one file a word."""
