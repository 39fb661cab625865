"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "9d3592e16d6a9049f00600ad419221c5e401335979346cdcd0d3704c3b3ee77d",
        "checks": "a26a8bf667874d938900f314e2d11b179edfd2b4773572c6eda42c2a7d7816a1",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17],
    },
}
