"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "b883c3f1678f63af0a893fa470b81db501255f84526bee747cc4f7cb27ee9bd4",
        "checks": "d403d491077642845998119026d636e03bb6efdf21b4938f71e9eacfb8d00dbc",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
