"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "e3bc824154605d29666e5b179b2821b569f94fd944909f5b4bb861faa633fbd6",
        "checks": "02a454f6406f1e00af86cf4a933dbeb3eca263e0dfa98639c744dbde8d312a29",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
