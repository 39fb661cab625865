"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "e425762106ea7c36d8f6c526cf50a38686b7975afc6757b9e2f0c9190f22608b",
        "checks": "d403d491077642845998119026d636e03bb6efdf21b4938f71e9eacfb8d00dbc",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
