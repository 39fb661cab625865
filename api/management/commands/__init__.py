"""`manage.py` commands of the API, one module each."""
