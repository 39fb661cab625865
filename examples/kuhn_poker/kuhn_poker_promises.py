"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "060c53feb2694f67af0c344e7535d163ff2d225962a007551f7779f558c1950b",
        "checks": "376a1cdb62fcb2f5be77fe682cb3c36fde15b2cdb95525f8d4e8328df9f71122",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
