"""A server of the Model Context Protocol: agents play through the API, with one key.

`tools` has the tools, `replies`, `choices`, `pages` and `refusals` make their replies from replies
of the API, as short as a model can use them, `events` has subscriptions, and `command` serves all.
Nothing else is known here: no database, no secret but the key.
"""
