"""How many actions a second does the API take? Beside a view that does nothing, on the same server,
and beside the plain way of writing such an endpoint."""
