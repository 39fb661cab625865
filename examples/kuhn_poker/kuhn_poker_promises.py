"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "551857cb8cc7d2049a48096610dd8f302dc1f2f07a5d22c44d36eed8e4588552",
        "checks": "25a93c4dfe7cda3a7d28c1175bd5d3eee36a7371fbcbe7144ec0eebf581a50b4",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16],
    },
}
