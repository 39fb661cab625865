"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "d7e13c9b5127f1d34b507adfb802f2e7b242cf8992aee085e15f298d7f090652",
        "checks": "cf9104cbb633240c7887a3d894f0a259d30e59fa1b1458d38af1f206c0dd95ad",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
