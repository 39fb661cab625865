"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "b8d3db825973e91701c4e1a8660f176aed1abcb10733e7c000045eb02c5e3268",
        "checks": "e8ff3fb4eeba6386587655dd1112e3c05730c1de2f6959a3a7675481d1a288a5",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
