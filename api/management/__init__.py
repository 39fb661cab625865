"""`manage.py` commands of the API."""
