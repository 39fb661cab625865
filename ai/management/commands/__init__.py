"""Management commands, one module each: `manage.py play`."""
