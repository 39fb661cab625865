"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "4395b9c5d370b4b848e03e1d7c21fcae9a759c0d10ac48e939780c179a0dd6ef",
        "checks": "a8008a0002a9d7a018e937315d472edf9dfda1f84b02ec1b89ef9c9aaa34a237",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
