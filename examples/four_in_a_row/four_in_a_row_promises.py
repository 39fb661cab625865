"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "c0ee9dbf5e3389062242634c41373d08a8392e9176198ff13268fbc1763af5d7",
        "checks": "2a3da2507cd064c4c6b85f22ab4209b144e12e4abaf91cd41d3f43d5786f0873",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17],
    },
}
