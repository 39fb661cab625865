"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "f78781fbbb205b75915c96de2eb441d076bca614b4a00f8c133aa340786b2b7b",
        "checks": "d403d491077642845998119026d636e03bb6efdf21b4938f71e9eacfb8d00dbc",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
