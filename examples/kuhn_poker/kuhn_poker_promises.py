"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "9a3919715b8e6a854c98e2ba571766c6a417e3af44d99589aace5ff021c0c567",
        "checks": "02a454f6406f1e00af86cf4a933dbeb3eca263e0dfa98639c744dbde8d312a29",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
