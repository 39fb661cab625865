"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "97ec3afd07bf0209ad7023fd9c3b6879cb304100034a9b5f8c3cb5702d8f4646",
        "checks": "31e81d38ec0b99b1e786d5734f53387c31a3f79cefa4d1c1f9947a723b3eb94b",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
