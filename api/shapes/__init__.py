"""What shape do bodies and replies have? Frozen dataclasses: read, written and described by the
same codec as the actions and views of the games; the OpenAPI document is made from them."""
