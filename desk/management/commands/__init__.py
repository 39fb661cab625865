"""One module per command: `manage.py staff`."""
