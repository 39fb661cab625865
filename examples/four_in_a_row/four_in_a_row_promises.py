"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "7fea10cbc90a53ac6fdcdd609697290d5b6fecdeaa303289c1c5d8b1fcb780b1",
        "checks": "02a454f6406f1e00af86cf4a933dbeb3eca263e0dfa98639c744dbde8d312a29",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
