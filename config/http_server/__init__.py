"""The HTTP server: connections, request heads, bodies and replies, all bounded.

A client that sends or reads slowly, sends too much, or does not speak HTTP costs a connection for a
bounded time, and never a request thread.
"""
