"""One module a command: `manage.py play`."""
