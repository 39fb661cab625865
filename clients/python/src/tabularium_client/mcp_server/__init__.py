"""A server of the Model Context Protocol: agents play through the API, with one key.

`tools` has the tools, `input_schemas` takes their arguments from the OpenAPI document of the
server, `replies` and `refusals` make their replies from its replies, and `command` serves them.
Nothing else is known here: no database, no secret but the key.
"""
