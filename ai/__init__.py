"""The bots: each sees only its seat's view and acts through the same services as players."""
