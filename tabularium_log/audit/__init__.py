"""Exports: their format, their reader and their verifiers. docs/fairness.md lists the checks."""
