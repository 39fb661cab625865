"""One module per command: `manage.py serve`."""
