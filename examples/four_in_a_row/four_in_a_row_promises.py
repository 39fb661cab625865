"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "eacac03a687026e16473c69da8aaec07edf5a25e8ae7d027ced6b69af4006457",
        "checks": "d403d491077642845998119026d636e03bb6efdf21b4938f71e9eacfb8d00dbc",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
