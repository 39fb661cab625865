"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "8b9cc7be3db17017b39c3a414bd8978413e3edd96f4175cfe7afc006e983a215",
        "checks": "31e81d38ec0b99b1e786d5734f53387c31a3f79cefa4d1c1f9947a723b3eb94b",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
