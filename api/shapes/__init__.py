"""Shapes of bodies and replies: frozen dataclasses, read, written and described by the same codec
as the actions and views of the games. The OpenAPI document is generated from them."""
