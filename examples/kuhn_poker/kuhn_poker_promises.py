"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "e886251e393d10c11d184bfdcbab3d0d04a514e4effded5335be8190845b8676",
        "checks": "2a3da2507cd064c4c6b85f22ab4209b144e12e4abaf91cd41d3f43d5786f0873",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17],
    },
}
