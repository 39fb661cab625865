"""Webhooks, as specified by Standard Webhooks."""
