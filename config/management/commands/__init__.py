"""One module a command: `manage.py serve`."""
