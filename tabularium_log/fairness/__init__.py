"""Provable fairness: clients can check that a log was neither altered nor rigged. docs/fairness.md
specifies every byte that is made here: seeds, draws, salts, seals, hash chain and receipts."""
