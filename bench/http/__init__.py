"""Throughput of the API's actions, compared with a view that does nothing on the same server and
with a conventional implementation of the endpoint."""
