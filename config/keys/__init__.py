"""The keys that encrypt secrets and sign receipts: their check against the database, their use, and
their replacement."""
