"""What `manage.py` can do for the API."""
