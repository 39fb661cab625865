"""The bots: each sees only its seat's view and acts through the same services as players."""

import games  # noqa: F401  # decides whether the search runs compiled before any of it is imported
