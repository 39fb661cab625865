"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "a7aa7b585817e50beac1a8691ff0f6b43d8d2ae03f031c00108aa41c9c278429",
        "checks": "a8008a0002a9d7a018e937315d472edf9dfda1f84b02ec1b89ef9c9aaa34a237",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
