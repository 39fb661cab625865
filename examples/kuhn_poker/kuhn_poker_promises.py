"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "85b17e894c42f0c41adc123e0726ee39728b2d965ae479bbdd2260bcfa559abd",
        "checks": "cf9104cbb633240c7887a3d894f0a259d30e59fa1b1458d38af1f206c0dd95ad",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
