"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "2d1ab614e9d1a8a994c4c1b54189b5a9b8a995566572608c8e8709fefcfbc992",
        "checks": "a8008a0002a9d7a018e937315d472edf9dfda1f84b02ec1b89ef9c9aaa34a237",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
