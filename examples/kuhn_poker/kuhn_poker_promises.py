"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "b3d0f1b00aa1e9c62372c3ec1796dc32e0536f4c162b997899293a4558699212",
        "checks": "25a93c4dfe7cda3a7d28c1175bd5d3eee36a7371fbcbe7144ec0eebf581a50b4",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16],
    },
}
