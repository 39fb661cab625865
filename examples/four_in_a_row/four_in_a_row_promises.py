"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "b824ded6c9c3da385d967aa10d8964057820b7e3c49cdd72db86a1597b4643e6",
        "checks": "a8008a0002a9d7a018e937315d472edf9dfda1f84b02ec1b89ef9c9aaa34a237",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
