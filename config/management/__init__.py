"""What the wiring adds to manage.py."""
