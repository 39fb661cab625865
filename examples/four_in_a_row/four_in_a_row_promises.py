"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "407e423b43101cb56b51aec728b597afcfb02aa2763c677db9af783c31fdc4c8",
        "checks": "25a93c4dfe7cda3a7d28c1175bd5d3eee36a7371fbcbe7144ec0eebf581a50b4",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16],
    },
}
