"""What the bots' app adds to manage.py."""
