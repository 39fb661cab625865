"""What `manage.py` can do with the log."""
