"""Clients generated from the OpenAPI document."""
