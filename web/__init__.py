"""The pages on which people play: static shells that their scripts fill through the API."""
