"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "5f37f54ecababfc3a2f57b346e6fce3fffb7fee697691cc02bbd293e4d0c945d",
        "checks": "25a93c4dfe7cda3a7d28c1175bd5d3eee36a7371fbcbe7144ec0eebf581a50b4",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16],
    },
}
