"""How can a stranger check that a log was neither altered nor rigged? docs/fairness.md specifies
every byte that is made here: seeds, draws, salts, seals, the chain of hashes and receipts."""
