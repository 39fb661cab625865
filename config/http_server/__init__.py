"""The front of the web server: connections, request heads, bodies and replies, each with bounds.

A client that sends or reads slowly, sends too much or is not HTTP at all costs a connection for a
bounded time, and never a request thread.
"""
