"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "22186d23c813a555cf2544e70fde4e1d952ba0b5826b3b970b9350d6855e04ea",
        "checks": "e8ff3fb4eeba6386587655dd1112e3c05730c1de2f6959a3a7675481d1a288a5",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
