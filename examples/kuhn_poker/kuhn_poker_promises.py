"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "5cf6676e4fd9cfe84ff22b8b4b20a9b8e9248374d5d11e803dae436207e5e731",
        "checks": "25a93c4dfe7cda3a7d28c1175bd5d3eee36a7371fbcbe7144ec0eebf581a50b4",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16],
    },
}
