"""The keys that encrypt secrets and sign receipts: their files, their check against the database,
their use, and their replacement."""
